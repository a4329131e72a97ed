import type { ConfigEntry } from '@sluice/contracts';
import { given, masked } from './secret-values.ts';

const entry = (key: string, secret: boolean): ConfigEntry => ({
  ...{ key, name: key, description: '', default_value: null, kind: secret ? 'secret' : 'string' },
  ...{ editable: true, secret, requirements: [], rules: [] },
});
const entries = [entry('host', false), entry('password', true)];

describe.each([[null], ['plugin_config']])('secrets below %j', (block) => {
  const where = { block, entries };
  const put = (values: Record<string, unknown>) =>
    block === null ? values : { [block]: values, enabled: true };

  test('are shown as ***, and so is what the schema does not know any more', () => {
    expect(masked(put({ host: '***', password: 'hush', token: 'hush' }), where)).toEqual(
      put({ host: '***', password: '***', token: '***' }),
    );
  });

  test('that are null are not given', () => {
    expect(given(put({ host: null, password: 'x' }), where)).toEqual(put({ password: 'x' }));
  });
});

test('what is no object where secrets belong is shown as it is', () => {
  const where = { block: 'plugin_config', entries };
  for (const values of [{ plugin_config: 'x' }, { plugin_config: ['***'] }, {}]) {
    expect(masked(values, where)).toEqual(values);
  }
});
