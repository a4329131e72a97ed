-- What comes to less than a card can be charged is carried: the next invoice with other usage has it.
ALTER TABLE usage_months ADD COLUMN carried boolean NOT NULL DEFAULT false;
