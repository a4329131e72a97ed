import type { Cloud, Plugins, ProvidedOptions } from '@sluice/contracts';
import { boolean, jsonb, table, text, time, type RowOf } from '../../stores/columns.ts';

export const Region = table('regions', {
  cloud: text<Cloud>({ primary: true }),
  region: text({ primary: true }),
  supervisor_url: text(),
  /** whether nodes of a deployment can be one cluster there */
  clusters: boolean({ default: false }),
  /** what it provides of what not every region does */
  options: jsonb<ProvidedOptions>({ default: {} }),
  /** what a deployment can have whose nodes have not reported yet */
  plugins: jsonb<Plugins>({ default: [] }),
  registered_at: time({ createDate: true }),
});
export type RegionRow = RowOf<typeof Region>;
