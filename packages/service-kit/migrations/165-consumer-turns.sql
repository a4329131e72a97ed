-- Which process reads the messages of a consumer that handles them in the order of their stream, and until when.
CREATE TABLE consumer_turns (
  consumer text PRIMARY KEY,
  holder text NOT NULL,
  until timestamptz NOT NULL
);
