import type { ConfigEntry } from '@sluice/contracts';
import { given, masked, unmasked } from './secret-values.ts';

const entry = (key: string, secret: boolean): ConfigEntry => ({
  ...{ key, name: key, description: '', default_value: null, kind: secret ? 'secret' : 'string' },
  ...{ editable: true, secret, requirements: [], rules: [] },
});
const entries = [entry('host', false), entry('password', true)];

describe.each([[null], ['plugin_config']])('secrets below %j', (block) => {
  const where = { block, entries };
  const put = (values: Record<string, unknown>) =>
    block === null ? values : { [block]: values, enabled: true };
  const path = block === null ? '' : `/${block}`;

  test('are shown as ***, and so is what the schema does not know any more', () => {
    expect(masked(put({ host: '***', password: 'hush', token: 'hush' }), where)).toEqual(
      put({ host: '***', password: '***', token: '***' }),
    );
  });

  test('are kept by ***, and nothing else is', () => {
    const stored = put({ host: 'a', password: 'hush' });
    expect(unmasked(put({ host: '***', password: '***' }), stored, where)).toEqual({
      values: put({ host: '***', password: 'hush' }),
      issues: [],
    });
    expect(unmasked(put({ password: 'new' }), stored, where).values).toEqual(put({ password: 'new' }));
  });

  test('that *** finds nothing for are told', () => {
    for (const stored of [undefined, put({ host: 'a' }), {}])
      expect(unmasked(put({ password: '***' }), stored, where).issues).toEqual([
        { path: `${path}/password`, code: 'nothing_stored', message: expect.any(String) as string },
      ]);
  });

  test('that are null are not given', () => {
    expect(given(put({ host: null, password: 'x' }), where)).toEqual(put({ password: 'x' }));
  });
});

test('what is no object where secrets belong is left to the check of values', () => {
  const where = { block: 'plugin_config', entries };
  for (const values of [{ plugin_config: 'x' }, { plugin_config: ['***'] }, {}]) {
    expect(masked(values, where)).toEqual(values);
    expect(unmasked(values, undefined, where)).toEqual({ values, issues: [] });
  }
});
