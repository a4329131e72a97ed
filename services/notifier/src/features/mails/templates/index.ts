// The templates of all mails, each under the name that the contracts give it.
export { invitation } from './invitation.ts';
export { joinRequested as join_requested } from './join-requested.ts';
export { memberJoined as member_joined } from './member-joined.ts';
export { protectionCode as protection_code } from './protection-code.ts';
