import { listed } from '../../../wording.ts';
import { by, fact, type Texts } from './notification-text.ts';
import { theTenant } from './places.ts';

const rolesOf = (roles: readonly string[]) => fact(roles.length === 1 ? 'Role' : 'Roles', roles.join(', '));
const asRoles = (roles: readonly string[]) =>
  roles.length === 0
    ? 'without a role'
    : `with the ${roles.length === 1 ? 'role' : 'roles'} ${listed(roles)}`;

/** Invitations, and people who come by a tenant's join policy. */
export const peopleTexts = {
  invitation_created: (event) => {
    const { email, roles } = event.data;
    return {
      subject: `${email} was invited into ${theTenant(event.data)}`,
      paragraphs: [
        `${email} was invited into ${theTenant(event.data)}${by(event)}, ${asRoles(roles)}.`,
        'The invitation is open for seven days, and gives no access before it is accepted. If it should not have been sent, ' +
          'delete it among the tenant’s invitations.',
      ],
      facts: [fact('Invited', email), rolesOf(roles)],
    };
  },
  invitation_accepted: (event) => {
    const { email, roles } = event.data;
    return {
      subject: `${email} has accepted the invitation into ${theTenant(event.data)}`,
      paragraphs: [
        `${event.user?.name ?? email} (${email}) has accepted the invitation and is a member of ${theTenant(event.data)}, ${asRoles(roles)}.`,
        'Nothing is to be done. What the member may do can be changed among the members.',
      ],
      facts: [fact('Member', email), rolesOf(roles)],
    };
  },
  invitation_rejected: (event) => {
    const { email, roles } = event.data;
    return {
      subject: `${email} has rejected the invitation into ${theTenant(event.data)}`,
      paragraphs: [
        `${email} has rejected the invitation into ${theTenant(event.data)}, and gets no access.`,
        'If that was a mistake, invite the address again.',
      ],
      facts: [fact('Invited', email), rolesOf(roles)],
    };
  },
  tenant_join_requested: (event) => {
    const { email } = event.data;
    return {
      subject: `${email} asks to join ${theTenant(event.data)}`,
      paragraphs: [
        `${event.user?.name ?? email} (${email}) asks to become a member of ${theTenant(event.data)}, since the address is of its mail domain.`,
        'Approve or reject the request among the tenant’s join requests. Until then it gives no access.',
      ],
      facts: [fact('Asks to join', email)],
    };
  },
  member_joined: (event) => {
    const { email, roles } = event.data;
    return {
      subject: `${email} has joined ${theTenant(event.data)}`,
      paragraphs: [
        `${event.user?.name ?? email} (${email}) has become a member of ${theTenant(event.data)} by its join policy, ${asRoles(roles)}.`,
        'If people of the mail domain should not come in by themselves, change the join policy in the tenant’s configuration; ' +
          'remove the member among the members.',
      ],
      facts: [fact('Member', email), rolesOf(roles)],
    };
  },
} satisfies Partial<Texts>;
