import type { MailTemplate } from '@sluice/contracts';
import type { Template } from '../letter.ts';
import { invitation } from './invitation.ts';
import { joinRequested } from './join-requested.ts';
import { memberJoined } from './member-joined.ts';
import { protectionCode } from './protection-code.ts';

/** What each mail says. */
export const letters: Record<MailTemplate, Template> = {
  protection_code: protectionCode,
  invitation,
  join_requested: joinRequested,
  member_joined: memberJoined,
};
