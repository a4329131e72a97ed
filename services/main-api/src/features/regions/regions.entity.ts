import type { Cloud, Plugins, ProvidedOptions } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';

/** A region whose supervisor has registered. */
export interface RegionRow {
  cloud: Cloud;
  region: string;
  supervisor_url: string;
  /** whether nodes of a deployment can be one cluster there */
  clusters: boolean;
  /** what it provides of what not every region does */
  options: ProvidedOptions;
  /** what a deployment can have whose nodes have not reported yet */
  plugins: Plugins;
  registered_at: Date;
}

export const Region = new EntitySchema<RegionRow>({
  name: 'region',
  tableName: 'regions',
  columns: {
    cloud: { type: 'text', primary: true },
    region: { type: 'text', primary: true },
    supervisor_url: { type: 'text' },
    clusters: { type: 'boolean', default: false },
    options: { type: 'jsonb', default: {} },
    plugins: { type: 'jsonb', default: [] },
    registered_at: { type: 'timestamptz', createDate: true },
  },
});
