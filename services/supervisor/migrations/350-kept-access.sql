-- Who may reach a deployment: each change of its rules and its login has a revision, by which main-api keeps a copy.
ALTER TABLE deployments
  ADD COLUMN access_revision bigint NOT NULL DEFAULT 1,
  -- After a restore of this database, until main-api has answered this question with its copy: no agent is sent a state until then.
  ADD COLUMN access_question uuid;
