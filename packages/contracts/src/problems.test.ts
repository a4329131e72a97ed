import { problems } from './index.ts';

const codes = Object.entries(problems);

test.each(codes)('%s is snake_case, with a status of the interface and texts for people', (code, problem) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect([400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 426, 429, 431, 500, 503, 504]).toContain(
    problem.status,
  );
  expect(problem.title).toMatch(/^[A-Z][^.]+$/);
  expect(problem.detail).toMatch(/^[A-Z].+\.$/);
});

test('no two problems have the same title', () => {
  expect(new Set(codes.map(([, { title }]) => title)).size).toBe(codes.length);
});

test('the conditions of section 7 have the statuses that were decided for them', () => {
  const statuses = Object.fromEntries(codes.map(([code, { status }]) => [code, status]));
  expect(statuses).toMatchObject({
    protection_code_required: 400,
    protection_code_invalid: 400,
    has_deployments: 409,
    limit_reached: 409,
    feature_not_available: 403,
    owner_only: 403,
    name_taken: 409,
    system_role: 403,
    cluster_not_available: 400,
    tenant_has_no_email_domain: 400,
    privilege_escalation: 403,
    ip_not_allowed: 403,
    malformed_json: 400,
    unknown_field: 400,
    unsupported_media_type: 415,
    payload_too_large: 413,
    method_not_allowed: 405,
    rate_limited: 429,
  });
});
