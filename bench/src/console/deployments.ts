/** Lists deployments that no region knows. Parameters: the tenant, the division, how many. */
export const listDeployments = `
  WITH place AS (
    INSERT INTO environments (tenant_id, division_id, name) VALUES ($1, $2, 'many') RETURNING id
  )
  INSERT INTO deployments (uid, tenant_id, division_id, environment_id, name, code, protected, variant, cloud, region, area, tier, cluster,
    encrypted, storage_type, telemetry_days, availability_mode, dedicated, public_ip_enabled, subdomain_enabled)
  SELECT gen_random_uuid(), $1, $2, place.id, 'orders-' || n, 'orders-' || n, false, 'managed', 'cloud_a', 'us-east-1', 'us', 'small',
    'standalone', false, 'network_balanced', 7, 'single_az', false, true, false
  FROM place, generate_series(1, $3::int) n`;
