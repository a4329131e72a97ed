import { compileRole, idOf, type DivisionId, type TenantId } from '@sluice/contracts';
import { newContext } from '@sluice/service';
import { grantOf } from '../widget-service.ts';
import { anonymousCaller, callerOf, newSecret, sessionOfToken } from '@sluice/grants';

const context = newContext(undefined, '6f9619ff-8b86-4011-b42d-00c04fc964ff');

describe('a caller', () => {
  const grant = grantOf({
    owner: true,
    division_id: idOf<DivisionId>(3),
    permissions: compileRole({ tenant: ['info:read'], divisions: { '3': { permissions: ['info:manage'] } } }),
  });

  test('is whoever holds the grant', () => {
    const session = sessionOfToken('token');
    expect(callerOf(grant, context, { session })).toMatchObject({
      tenantId: grant.tenant_id,
      user: grant.user,
      apiKey: grant.api_key,
      session,
      owner: true,
      divisionId: 3,
      permissions: grant.permissions,
    });
    expect(callerOf(grant, context).session).toBeNull();
  });

  test('stands in the events of the request, by its id', () => {
    expect(callerOf(grant, context).cause).toEqual({
      author: grant.user,
      api_key: grant.api_key,
      correlation_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
    });
  });

  test('may what the grant allows in a place, and is refused the rest by name', () => {
    const caller = callerOf(grant, context);
    expect(caller.may('tenant', 'info:read')).toBe(true);
    expect(caller.may('division', 'info:manage', { division: idOf<DivisionId>(3) })).toBe(true);
    expect(caller.may('division', 'info:manage', { division: idOf<DivisionId>(4) })).toBe(false);
    caller.require('division', 'info:manage', { division: idOf<DivisionId>(3) });
    let refusal: unknown;
    try {
      caller.require('tenant', 'info:manage');
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({
      code: 'forbidden',
      message: "The key is valid but lacks 'info:manage' at tenant scope.",
      extras: { extensions: { scope: 'tenant', permission: 'info:manage' } },
    });
  });

  test('of a public operation is nobody, may nothing, and has no author', () => {
    const nobody = anonymousCaller(context);
    expect(nobody).toMatchObject({
      tenantId: idOf<TenantId>(0),
      apiKey: null,
      session: null,
      owner: false,
      divisionId: null,
      cause: { author: null, api_key: null, correlation_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff' },
    });
    expect(nobody.may('tenant', 'info:read')).toBe(false);
  });
});

describe('a session', () => {
  test('has a secret of 256 bits that is never the same', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    expect(new Set(secrets).size).toBe(100);
  });

  test('is known by the SHA-256 of its token, and its CSRF token tells neither', () => {
    const { key, csrfToken } = sessionOfToken('abc');
    expect(key).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    // stays the same from one version to the next: signed-in browsers hold it
    expect(csrfToken).toBe('pc5D8wzowZ2vFt273oXBRtHda4ycc1slkk7z6oyM44Q');
    expect(sessionOfToken('abd').csrfToken).not.toBe(csrfToken);
  });
});
