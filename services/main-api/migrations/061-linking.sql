-- whose account shall get another identity, where somebody who is signed in has begun
ALTER TABLE sign_in_intents ADD COLUMN user_id bigint REFERENCES users ON DELETE CASCADE;
ALTER TABLE pending_sign_ins ADD COLUMN user_id bigint REFERENCES users ON DELETE CASCADE;
