-- What a deployment has reached, as Kubernetes has conditions: a type, whether it holds, why (a word in CamelCase for
-- programs, a message for people), and since when. A new type needs no migration.
--
-- It takes the place of one column for each thing. That is safe: the lock keeps a supervisor that still runs from
-- marking anything between the copy and the end of the columns; each row of the old columns becomes one condition with its time,
-- in the transaction that drops them; and a supervisor of the former version fails as a whole in each step that
-- names a dropped column, writes nothing, and leaves the deployment to one of this version.
LOCK TABLE deployments IN ACCESS EXCLUSIVE MODE;

CREATE TABLE deployment_conditions (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  type text NOT NULL CHECK (type ~ '^[A-Z][A-Za-z0-9]*$'),
  status text NOT NULL CHECK (status IN ('True', 'False', 'Unknown')),
  reason text NOT NULL CHECK (reason ~ '^[A-Z][A-Za-z0-9]*$'),
  message text NOT NULL,
  -- when the status changed last; a new reason or message alone does not count
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (deployment_id, type)
);

INSERT INTO deployment_conditions (deployment_id, type, status, reason, message, changed_at)
-- when a subnet was assigned was not stored; securing the network came right after it
SELECT id, 'SubnetAssigned', 'True', 'Completed', '', coalesce(network_secured_at, status_changed_at)
FROM deployments WHERE subnet IS NOT NULL
UNION ALL
SELECT id, 'NetworkSecured', 'True', 'Completed', '', network_secured_at
FROM deployments WHERE network_secured_at IS NOT NULL
UNION ALL
SELECT id, 'DnsConfigured', 'True', 'Completed', '', dns_configured_at
FROM deployments WHERE dns_configured_at IS NOT NULL
UNION ALL
SELECT id, 'Initialized', 'True', 'Completed', '', initialized_at
FROM deployments WHERE initialized_at IS NOT NULL;

ALTER TABLE deployments
  DROP COLUMN network_secured_at,
  DROP COLUMN dns_configured_at,
  DROP COLUMN initialized_at;
