-- The mail of the newest code, and why it could not be delivered.
ALTER TABLE protection_codes ADD COLUMN mail_id uuid, ADD COLUMN mail_failure text;
