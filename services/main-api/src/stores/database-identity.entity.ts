import { EntitySchema } from 'typeorm';

export interface DatabaseIdentityRow {
  /** the one row */
  id: true;
  identity: string;
}

export const DatabaseIdentity = new EntitySchema<DatabaseIdentityRow>({
  name: 'database_identity',
  tableName: 'database_identity',
  columns: {
    id: { type: 'boolean', primary: true },
    identity: { type: 'text' },
  },
});
