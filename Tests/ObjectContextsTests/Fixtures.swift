import Datastore
import JSON
import ObjectContexts
import ObjectMapping
