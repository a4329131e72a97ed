-- The region's copy of who may reach a deployment: its access rules and logins. Passwords are sealed with keys that only the region has.
CREATE TABLE deployment_access (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  revision bigint NOT NULL,
  access jsonb NOT NULL
);
