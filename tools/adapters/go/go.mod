module littlestore

go 1.19
