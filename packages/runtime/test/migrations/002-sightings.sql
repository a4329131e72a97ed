-- An effect that is not idempotent: nothing but the inbox keeps a message from having it twice.
CREATE TABLE sightings (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
