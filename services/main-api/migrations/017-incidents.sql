-- What operators tell everybody of a failure (sluice-admin incident), on the public page of the status.
CREATE TABLE incidents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  impact text NOT NULL CHECK (impact IN ('degraded', 'outage')),
  opened_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz
);
CREATE INDEX incidents_resolved ON incidents (resolved_at);

-- The regions that it is about; none: all of the installation. A region that is removed meanwhile stays named.
CREATE TABLE incident_regions (
  incident_id bigint NOT NULL REFERENCES incidents ON DELETE CASCADE,
  cloud text NOT NULL,
  region text NOT NULL,
  PRIMARY KEY (incident_id, cloud, region)
);
CREATE INDEX incident_regions_by_region ON incident_regions (cloud, region);

CREATE TABLE incident_updates (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incident_id bigint NOT NULL REFERENCES incidents ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('opened', 'updated', 'resolved')),
  -- that of the incident from then on
  impact text NOT NULL,
  message text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- the audit logs of tenants with deployments there have it
  recorded boolean NOT NULL DEFAULT false
);
CREATE INDEX incident_updates_by_incident ON incident_updates (incident_id, id);
CREATE INDEX incident_updates_unrecorded ON incident_updates (id) WHERE NOT recorded;

-- How a region is, as everybody is told, and since when.
ALTER TABLE regions ADD COLUMN status text NOT NULL DEFAULT 'operational';
ALTER TABLE regions ADD COLUMN status_since timestamptz NOT NULL DEFAULT now();
