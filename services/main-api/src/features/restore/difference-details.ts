import {
  eventSchema,
  grantSchema,
  roleIdSchema,
  rolePermissionsSchema,
  userIdSchema,
} from '@sluice/contracts';
import { z } from 'zod';

/** What is kept of a difference to apply it, by kind. */

export const keyEnlargedSchema = z.object({ grant: grantSchema });
/** The grant is null where the bucket has lost it: then the token is not known. */
export const keyMadeSchema = z.object({ grant: grantSchema.nullable(), role_id: roleIdSchema.optional() });
export const memberSchema = z.object({
  user_id: userIdSchema,
  role_ids: z.array(roleIdSchema),
  /** names of roles that the copy does not have */
  missing: z.array(z.string()),
  active: z.boolean(),
});
export const roleEnlargedSchema = z.object({
  role_id: roleIdSchema,
  permissions: rolePermissionsSchema,
  /** what the role granted after the review */
  seen: z.unknown(),
});
export const roleMadeSchema = z.object({ name: z.string(), permissions: rolePermissionsSchema.nullable() });
export const tenantDeletedSchema = z.object({ deactivated: z.array(userIdSchema) });
export const eventsLostSchema = z.object({
  /** from when on events may be newer than the copy; null: all may be */
  since: z.iso.datetime().nullable(),
  /** the ids of events since then that the copy has */
  known: z.array(z.uuid()),
  /** the events since then, as the audit log has them, where an operator has handed them over */
  events: z.array(eventSchema).optional(),
});
