-- since when the region's database knows all that has happened, as it was when usage was reported or given back last: older reports no longer count
ALTER TABLE billed_deployments ADD COLUMN known_since timestamptz;
