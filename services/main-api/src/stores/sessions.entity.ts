import type { SessionId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface SessionRow {
  id: SessionId;
  user_id: UserId;
  /** the identity provider */
  source: string;
  token_sha256: string;
  created_at: Date;
  last_used_at: Date;
  /** when it ends unless it is used */
  idle_expires_at: Date;
  /** when it ends however much it is used */
  expires_at: Date;
}

export const Session = new EntitySchema<SessionRow>({
  name: 'session',
  tableName: 'sessions',
  columns: {
    id: idColumn,
    user_id: { type: 'bigint' },
    source: { type: 'text' },
    token_sha256: { type: 'text' },
    created_at: { type: 'timestamptz' },
    last_used_at: { type: 'timestamptz' },
    idle_expires_at: { type: 'timestamptz' },
    expires_at: { type: 'timestamptz' },
  },
});
