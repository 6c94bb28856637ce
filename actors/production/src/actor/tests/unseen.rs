//! A key that is bound to an engagement never sees, counts or can infer a node outside its reach.
