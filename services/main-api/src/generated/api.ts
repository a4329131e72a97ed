// Generated from the OpenAPI document by `npm run generate`: change that, not this.

import type {
  AccessRuleId,
  ApiKeyId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  InvitationId,
  JoinRequestId,
  NodeId,
  RoleId,
  SessionId,
  TenantId,
  UserId,
} from '@sluice/contracts';

export interface paths {
  '/account': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whoever is signed in
     * @description Tells the token that writes of the session have to send as `x-csrf-token`.
     */
    get: operations['getAccount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/settings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Choose a default tenant and division
     * @description Both have to be visible to the user, and the division has to be of the tenant. What is left out stays, null clears. Another default tenant without a division of its own clears the default division.
     */
    put: operations['updateAccountSettings'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The user's sessions, newest first */
    get: operations['listSessions'];
    put?: never;
    post?: never;
    /**
     * End all sessions but this one
     * @description When this answers, no API accepts them any more.
     */
    delete: operations['deleteOtherSessions'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/sessions/{session_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        session_id: components['schemas']['SessionId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session of the user
     * @description When this answers, no API accepts it any more.
     */
    delete: operations['deleteSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Everything that the Main API holds about the user */
    get: operations['exportAccount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/api_keys': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** All API keys of the tenant, those of its divisions included, newest first */
    get: operations['listApiKeys'];
    put?: never;
    /**
     * Create an API key
     * @description The key acts as the user who makes it, limited to its role, and can be granted only what the caller holds. Its name is unique among the tenant's keys, or the division's if it is bound to one, whatever its case. Works on every API as soon as this answers. The token is shown this once.
     */
    post: operations['createApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/api_keys/context': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * The calling key itself
     * @description Needs no permission.
     */
    get: operations['getApiKeyContext'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/api_keys/{api_key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /** One API key with what it grants */
    get: operations['getApiKey'];
    put?: never;
    post?: never;
    /**
     * Delete an API key
     * @description When this answers, no API accepts the key any more.
     */
    delete: operations['deleteApiKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/api_keys/{api_key_id}/security': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Say from which addresses an API key may be used
     * @description Replaces what was said before, on every API as soon as this answers.
     */
    put: operations['updateApiKeySecurity'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/api_keys/{api_key_id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give an API key another token
     * @description The token is shown this once. The one before it works until the grace is over; without a grace no API accepts it any more when this answers. Tokens from earlier rotations keep the grace that they were given. The new token acts as the key's user, so only that user can ask for it, holding all that the key grants.
     */
    post: operations['rotateApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/api_keys': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /** The API keys of a division, newest first */
    get: operations['listDivisionApiKeys'];
    put?: never;
    /**
     * Create an API key of a division
     * @description The key acts as the user who makes it, limited to its role, and can be granted only what the caller holds. Its name is unique among the keys of the division, whatever its case. Works on every API as soon as this answers. The token is shown this once.
     */
    post: operations['createDivisionApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/api_keys/context': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * The calling key itself
     * @description Answers 404 to keys that are not bound to this division.
     */
    get: operations['getDivisionApiKeyContext'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/api_keys/{api_key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /** One API key of a division with what it grants */
    get: operations['getDivisionApiKey'];
    put?: never;
    post?: never;
    /**
     * Delete an API key of a division
     * @description When this answers, no API accepts the key any more.
     */
    delete: operations['deleteDivisionApiKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/api_keys/{api_key_id}/security': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Say from which addresses an API key of a division may be used
     * @description Replaces what was said before, on every API as soon as this answers.
     */
    put: operations['updateDivisionApiKeySecurity'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/api_keys/{api_key_id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give an API key of a division another token
     * @description The token is shown this once. The one before it works until the grace is over; without a grace no API accepts it any more when this answers. Tokens from earlier rotations keep the grace that they were given. The new token acts as the key's user, so only that user can ask for it, holding all that the key grants.
     */
    post: operations['rotateDivisionApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/deployments/starter': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a Free-tier deployment for development
     * @description In the environment `environment_id`, or in the one named `environment_name`, which is created if the division has no such environment. Only one of the two can be given.
     */
    post: operations['createStarterDeployment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/managed': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create a deployment on the platform's infrastructure */
    post: operations['createManagedDeployment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /** The deployments of an environment, newest first */
    get: operations['listDeployments'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * One deployment
     * @description What it is made of and how it can be reached is answered by its supervisor at `supervisor_url`.
     */
    get: operations['getDeployment'];
    put?: never;
    post?: never;
    /**
     * Delete a deployment with everything in it
     * @description A protected deployment needs a one-time code. The deployment is `deleting` until nothing is left of it, and not found from then on; only then its name and its place in the plan's limits are free. Asking again changes nothing.
     */
    delete: operations['deleteDeployment'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/clouds': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** The clouds that deployments can be in */
    get: operations['listClouds'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/clouds/{cloud}/regions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
      };
      cookie?: never;
    };
    /**
     * The regions of a cloud that take deployments
     * @description A region is listed once its supervisor has registered.
     */
    get: operations['listRegions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/clouds/{cloud}/regions/{region}/tiers': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
        region: components['parameters']['Region'];
      };
      cookie?: never;
    };
    /** The tiers, with what the tenant's plan leaves of them */
    get: operations['listTiers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/clouds/{cloud}/regions/{region}/storages': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
        region: components['parameters']['Region'];
      };
      cookie?: never;
    };
    /** The kinds of storage */
    get: operations['listStorages'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/clouds/{cloud}/regions/{region}/clusters': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
        region: components['parameters']['Region'];
      };
      cookie?: never;
    };
    /** The kinds of cluster */
    get: operations['listClusters'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** The divisions that the caller may see, newest first */
    get: operations['listDivisions'];
    put?: never;
    /**
     * Create a division
     * @description The name is unique in the tenant, whatever its case. The plan limits how many divisions there can be.
     */
    post: operations['createDivision'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * One division
     * @description A division that the caller may not see answers 404.
     */
    get: operations['getDivision'];
    /**
     * Change a division
     * @description At least one field. Anybody who may change the division can protect it; only the tenant's owner can lower the protection.
     */
    put: operations['updateDivision'];
    post?: never;
    /**
     * Delete a division with its environments and its API keys
     * @description Its deployments have to be gone. A protected division needs a one-time code.
     */
    delete: operations['deleteDivision'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /** The environments of a division that the caller may see, newest first */
    get: operations['listEnvironments'];
    put?: never;
    /**
     * Create an environment
     * @description The name is unique in the division, whatever its case. The plan limits how many environments there can be in the tenant and in one division.
     */
    post: operations['createEnvironment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /**
     * One environment
     * @description An environment that the caller may not see answers 404.
     */
    get: operations['getEnvironment'];
    /**
     * Change an environment
     * @description At least one field. Anybody who may change the environment can protect it; only the tenant's owner can lower the protection.
     */
    put: operations['updateEnvironment'];
    post?: never;
    /**
     * Delete an environment
     * @description Its deployments have to be gone. A protected environment needs a one-time code.
     */
    delete: operations['deleteEnvironment'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/invitations': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** The invitations of the tenant, newest first */
    get: operations['listInvitations'];
    put?: never;
    /**
     * Invite somebody into the tenant
     * @description Mails them. Whoever has this address, verified by an identity provider, can accept within seven days and becomes a member with the roles, which can grant only what the caller holds. Two limits of the plan count invitations whose seven days are not over: `invitations_limit` all that were not taken back, whatever the answer, and `pending_invitations_limit` those without one.
     */
    post: operations['createInvitation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/invitations/{invitation_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        invitation_id: components['schemas']['InvitationId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Take back an invitation that nobody has answered
     * @description Nobody can accept it any more. One that was accepted or rejected is 409 `state_conflict`.
     */
    delete: operations['deleteInvitation'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/join_requests': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** Who has asked to join the tenant, newest first */
    get: operations['listJoinRequests'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/join_requests/{join_request_id}/approve': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Make whoever asks a member with the role viewer
     * @description The caller has to hold what that role grants. A request that is decided is 409.
     */
    put: operations['approveJoinRequest'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/join_requests/{join_request_id}/reject': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Turn a join request down
     * @description A request that is decided is 409.
     */
    put: operations['rejectJoinRequest'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/members': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * The members of the tenant, newest first
     * @description A member has the id of their user account.
     */
    get: operations['listMembers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/members/permissions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** All permissions that roles can grant, by scope */
    get: operations['listGrantablePermissions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/members/{member_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        member_id: components['schemas']['UserId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Change a member
     * @description At least one field. `active: false` keeps the membership and refuses every key and session of it; `roles` are all that the member has afterwards. Roles that are added, and all of them when the member becomes active again, can grant only what the caller holds. Nobody changes the owner or themselves. When this answers, every API decides by it.
     */
    put: operations['updateMember'];
    post?: never;
    /**
     * Remove a member from the tenant
     * @description Their roles in the tenant and all API keys of the tenant that act as them go too. Nobody removes the owner or themselves. When this answers, no API accepts the keys any more.
     */
    delete: operations['deleteMember'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/roles/{role_id}/members': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    /** The members who have a role, newest members first */
    get: operations['listRoleMembers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/roles/{role_id}/members/assign': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Give a role to members
     * @description Those who have it keep it. The caller has to hold all that the role grants; nobody changes the owner or themselves.
     */
    put: operations['assignRole'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/roles/{role_id}/members/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Take a role from members
     * @description Nobody changes the owner or themselves. When this answers, every API decides without it.
     */
    put: operations['revokeRole'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/invitations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The invitations of the user's address, newest first */
    get: operations['listOwnInvitations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/invitations/{invitation_id}/accept': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        invitation_id: components['schemas']['InvitationId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Become a member of the tenant
     * @description The rights hold when this answers. One that has expired is 410, one that is answered 409; the limits of the tenant's members and of the user's memberships hold.
     */
    put: operations['acceptInvitation'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/invitations/{invitation_id}/reject': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        invitation_id: components['schemas']['InvitationId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Turn an invitation down
     * @description One that has expired is 410, one that is answered 409.
     */
    put: operations['rejectInvitation'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The tenants of which the user is a member, newest first
     * @description A membership that is not active is listed, but gives access to nothing.
     */
    get: operations['listOwnTenants'];
    put?: never;
    /**
     * Found a tenant
     * @description On the plan pro, with one division; the founder owns it and has the role admin. Founders whose provider-verified address is not of a public e-mail provider claim its registrable domain for the tenant. There is one tenant per domain: the next founder with an address of it is refused (`domain_claimed`), also when it is the same person.
     */
    post: operations['createTenant'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/membership': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Leave the tenant
     * @description Deletes the membership and the user's API keys in the tenant; when this answers, neither gives access any more. The owner cannot leave.
     */
    delete: operations['leaveTenant'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/request_code': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Have a one-time code for a deletion mailed to the tenant's address
     * @description The code has 8 digits and goes into the `code` parameter of the deletion that it was asked for; it is of no use for any other. It is valid for 10 minutes and for one deletion, and asking for another makes it void. A code can be asked for once in 60 seconds for the same resource (429 `rate_limited`). Five wrong codes within 10 minutes lock the deletion for 10 more, for right codes as well and for asking (429 `protection_locked`). Both say in `Retry-After` how many seconds to wait. A resource that is not protected needs no code, but one can be asked for.
     *
     *     Besides `info:read` the caller needs what the deletion itself needs: `division:manage` in the tenant, `environment:manage` in the division, `deployment:manage` in the environment, or to be the owner for the tenant. A division-scoped key sees nothing of the tenant and cannot ask.
     */
    put: operations['requestProtectionCode'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/roles': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** The roles that members and API keys can have, newest first */
    get: operations['listRoles'];
    put?: never;
    /**
     * Create a custom role
     * @description Its name is unique among the roles of the tenant, the system roles included, whatever its case. It can grant only what the caller holds. The plan limits the number of custom roles, and the overrides in one.
     */
    post: operations['createRole'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/roles/{role_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    /** One role with what it grants */
    get: operations['getRole'];
    /**
     * Change a custom role
     * @description At least one field; permissions replace all that the role grants. The caller has to hold what the role grants afterwards. When this answers, every API decides by the changed role.
     */
    put: operations['updateRole'];
    post?: never;
    /**
     * Delete a custom role
     * @description Members and pending invitations lose it. A role that an API key has cannot be deleted.
     */
    delete: operations['deleteRole'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/auth/intents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begin to sign in or up at an identity provider
     * @description Send the person's browser to `url`. The attempt belongs to this browser, by a cookie, and is over after ten minutes; another one begun in the same browser replaces it. The sources are those of the installation; one without identity providers knows none.
     */
    post: operations['beginSignIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/auth/callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where identity providers send the browser back to
     * @description Checks what the provider says and remembers it for ten minutes, by a cookie. Answers what to do next; where the installation has a page for that, the browser is sent there with the answer in the query parameter `next`.
     */
    get: operations['completeSignIn'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/sign_in': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in as whom the identity provider has vouched for
     * @description Once per callback. Somebody who signs in from a provider for the first time gets the account that has their verified address, unless that account already has another identity of the same provider. Without a callback 401, without an account 404.
     */
    post: operations['signIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/sign_up': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make an account for whom the identity provider has vouched for
     * @description The provider has to say that the address is verified. The new user can found a tenant or take an invitation at once. Whoever founds none and has an address of a tenant's domain is treated by that tenant's join policy: `open` makes them a member with the role viewer, `request_to_join` a join request, `invite_only` nothing. A tenant without room for another member gets a join request where its policy is `open`.
     */
    post: operations['signUp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/sign_out': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End this session
     * @description When this answers, no API accepts the session any more.
     */
    delete: operations['signOut'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/config': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** How people come into the tenant */
    get: operations['getTenantConfig'];
    /**
     * Change how people come into the tenant
     * @description All three fields. The two locks need a claimed e-mail domain (400 `tenant_has_no_email_domain`); a join policy takes effect only with one. Values that are in force already change nothing and are not recorded.
     */
    put: operations['replaceTenantConfig'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** The tenant with its plan's effective limits and capabilities */
    get: operations['getTenant'];
    /**
     * Change the tenant
     * @description At least one field. Codes for deletions go to `email`. Anybody who may change the tenant can protect it; only its owner can lower the protection.
     */
    put: operations['updateTenant'];
    post?: never;
    /**
     * Delete the tenant with everything in it, for good
     * @description For its owner. All deployments have to be gone, until nothing is left of them. Divisions, environments, roles, members, keys, invitations, the configuration and the audit log go with the tenant; its users stay. No key of it is accepted from the answer on. A protected tenant needs a one-time code. There is nothing yet that would have to be paid first.
     */
    delete: operations['deleteTenant'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/structure': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * All divisions, environments and deployments in one tree
     * @description Leaves out what the caller may not see. Oldest first.
     */
    get: operations['getStructure'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/summary': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * How many divisions, environments and deployments there are
     * @description Counts what the caller may see.
     */
    get: operations['getSummary'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** Format: int64 */
    Id: number;
    /** Format: int64 */
    TenantId: TenantId;
    /** Format: int64 */
    DivisionId: DivisionId;
    /** Format: int64 */
    EnvironmentId: EnvironmentId;
    /** Format: int64 */
    DeploymentId: DeploymentId;
    /** Format: int64 */
    NodeId: NodeId;
    /** Format: int64 */
    UserId: UserId;
    /** Format: int64 */
    RoleId: RoleId;
    /** Format: int64 */
    ApiKeyId: ApiKeyId;
    /** Format: int64 */
    InvitationId: InvitationId;
    /** Format: int64 */
    JoinRequestId: JoinRequestId;
    /** Format: int64 */
    SessionId: SessionId;
    /** Format: int64 */
    AccessRuleId: AccessRuleId;
    /** Format: date-time */
    Timestamp: string;
    Ref: {
      id: components['schemas']['Id'];
      name: string;
    };
    NullableRef: components['schemas']['Ref'] | null;
    /** @description RFC 9457 problem document */
    Problem: {
      type: string;
      title: string;
      status: number;
      /** @description stable */
      code: string;
      detail: string;
      /** @description the request id */
      instance: string;
      retryable: boolean;
      field_issues?: {
        /** @description JSON pointer led by body, query or path */
        path: string;
        code: string;
        message: string;
      }[];
    };
    Account: {
      id: components['schemas']['Id'];
      name: string;
      email: string;
      created_at: components['schemas']['Timestamp'];
      limits: components['schemas']['AccountLimits'];
      settings: components['schemas']['AccountSettings'];
      csrf_token: string;
    };
    /** @description how many tenants the user can own, and how many memberships they can have */
    AccountLimits: {
      tenants: number;
      memberships: number;
    };
    AccountSettings: {
      default_tenant_id: TenantId | null;
      default_division_id: DivisionId | null;
    };
    AccountSettingsInput: {
      default_tenant_id?: TenantId | null;
      default_division_id?: DivisionId | null;
    };
    Session: {
      id: components['schemas']['Id'];
      /** @description the identity provider */
      source: string;
      /** @description whether it is the one that asks */
      current: boolean;
      created_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description when the Main API last accepted it, to within some seconds
       */
      last_used_at: string;
      /**
       * Format: date-time
       * @description when it ends unless it is used
       */
      expires_at: string;
    };
    AccountExport: {
      exported_at: components['schemas']['Timestamp'];
      profile: {
        id: components['schemas']['Id'];
        name: string;
        email: string;
        created_at: components['schemas']['Timestamp'];
        updated_at: components['schemas']['Timestamp'];
        limits: components['schemas']['AccountLimits'];
        settings: components['schemas']['AccountSettings'];
      };
      identities: components['schemas']['ExportedRows'];
      sessions: components['schemas']['ExportedRows'];
      memberships: components['schemas']['ExportedRows'];
      api_keys: components['schemas']['ExportedRows'];
      invitations: components['schemas']['ExportedRows'];
      join_requests: components['schemas']['ExportedRows'];
    };
    ExportedRows: {
      [key: string]: unknown;
    }[];
    ApiKeyInput: {
      name: components['schemas']['Name'];
      /** @description the role whose permissions the key has; either this or `permissions` */
      role_id?: RoleId | null;
      /** @description permissions of the key's own; either these or `role_id` */
      permissions?: components['schemas']['PermissionsInput'] | null;
      /**
       * Format: date-time
       * @description when the key stops working; in the future, 365 days ahead at most
       */
      expiry_at: string;
      /** @default false */
      validate_ip: boolean | null;
      /** @description addresses or CIDRs (IPv4 or IPv6) that the key may be used from; needs `validate_ip` */
      allowed_ips?: string[] | null;
      /** @description the only division that the key shall see */
      division_id?: DivisionId | null;
    };
    DivisionApiKeyInput: {
      name: components['schemas']['Name'];
      /** @description the role whose permissions the key has; either this or `permissions` */
      role_id?: RoleId | null;
      /** @description permissions of the key's own; either these or `role_id` */
      permissions?: components['schemas']['PermissionsInput'] | null;
      /**
       * Format: date-time
       * @description when the key stops working; in the future, 365 days ahead at most
       */
      expiry_at: string;
      /** @default false */
      validate_ip: boolean | null;
      /** @description addresses or CIDRs (IPv4 or IPv6) that the key may be used from; needs `validate_ip` */
      allowed_ips?: string[] | null;
    };
    ApiKeySecurity: {
      validate_ip: boolean;
      /** @description addresses or CIDRs (IPv4 or IPv6) that the key may be used from; with `validate_ip`, and only then */
      allowed_ips?: string[] | null;
    };
    Rotation: {
      /**
       * @description for how long the token before it works on, at most until the key expires
       * @default 0
       */
      grace_seconds: number | null;
    };
    CreatedApiKey: {
      id: components['schemas']['ApiKeyId'];
      name: string;
      token: string;
      expiry_at: components['schemas']['Timestamp'];
    };
    ApiKeyPage: {
      items: components['schemas']['ApiKey'][];
      page: number;
      total_results: components['schemas']['TotalResults'];
      total_pages: components['schemas']['TotalResults'];
    };
    ApiKey: {
      id: components['schemas']['ApiKeyId'];
      name: string;
      role_id: components['schemas']['RoleId'];
      role_name: string;
      user_id: components['schemas']['UserId'];
      division_id: DivisionId | null;
      validate_ip: boolean;
      allowed_ips: string[];
      expiry_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description when the main API last accepted it, to within about a minute
       */
      last_used_at: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /** @description An API key with what it grants now: what both its role and the roles of its user allow, for a division's key in its division only. */
    ApiKeyDetail: {
      id: components['schemas']['ApiKeyId'];
      name: string;
      role_id: components['schemas']['RoleId'];
      role_name: string;
      user_id: components['schemas']['UserId'];
      division_id: DivisionId | null;
      validate_ip: boolean;
      allowed_ips: string[];
      expiry_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description when the main API last accepted it, to within about a minute
       */
      last_used_at: string | null;
      created_at: components['schemas']['Timestamp'];
      permissions: components['schemas']['PermissionsDetail'];
    };
    /** @description a DNS label, unique in the environment */
    DeploymentName: string;
    OptionalDeploymentName: string | null;
    /** @enum {string} */
    DeploymentStatus:
      | 'creating'
      | 'creating_subnet'
      | 'securing_network'
      | 'configuring_dns'
      | 'configuring_certificates'
      | 'waiting_for_nodes'
      | 'deploying_nodes'
      | 'initialized'
      | 'upgrading'
      | 'extending'
      | 'rolling_back'
      | 'stopped'
      | 'deleting'
      | 'failed';
    ManagedDeploymentInput: {
      name: components['schemas']['DeploymentName'];
      /** @enum {string} */
      cloud: 'cloud_a' | 'cloud_b';
      region: string;
      /** @enum {string} */
      tier: 'free' | 'small' | 'medium' | 'large' | 'xlarge' | '2xlarge' | '4xlarge' | '8xlarge' | '16xlarge';
      /**
       * @description `cluster` is refused while the operator has not switched it on
       * @enum {string}
       */
      cluster: 'standalone' | 'cluster';
      /** @default false */
      protected: boolean | null;
      /**
       * @description whether the server encrypts payloads
       * @default false
       */
      encrypted: boolean | null;
      storage?: {
        /**
         * @description unless given, the tier's own
         * @enum {string|null}
         */
        type?: 'local_ssd' | 'network_balanced' | null;
        /** @description gigabytes, for `network_balanced` only; the tier says how much there can be */
        size?: number | null;
      } | null;
      retention?: {
        /** @description for how long metrics, logs and heartbeats are kept */
        telemetry_days?: number | null;
      } | null;
      /** @description KB/s, for planning */
      target_network_tput?: number | null;
      /**
       * @description `multi_az` needs the capability `multi_az_enabled`; `single_az` unless given
       * @enum {string|null}
       */
      availability_mode?: 'single_az' | 'multi_az' | null;
      /**
       * @description needs the capability `dedicated_enabled`
       * @default false
       */
      dedicated: boolean | null;
      /** @default true */
      public_ip_enabled: boolean | null;
      /** @description needs a public address; unless given there is one where it can be */
      subdomain_enabled?: boolean | null;
      /** @description US dollars a month */
      spend_limit?: number | null;
    };
    Deployment: {
      id: components['schemas']['DeploymentId'];
      name: string;
      /** @enum {string} */
      variant: 'managed' | 'byoc';
      /** @description null without a subdomain */
      domain: string | null;
      /** @enum {string} */
      cloud: 'cloud_a' | 'cloud_b';
      region: string;
      /** @enum {string} */
      area: 'us' | 'eu' | 'ap' | 'ca' | 'sa';
      tier: string;
      /** @enum {string} */
      cluster: 'standalone' | 'cluster';
      nodes_count: number;
      supervisor_url: string;
      status: components['schemas']['DeploymentStatus'];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    DeploymentDetail: {
      id: components['schemas']['DeploymentId'];
      name: string;
      /** @enum {string} */
      variant: 'managed' | 'byoc';
      /** @description null without a subdomain */
      domain: string | null;
      /** @enum {string} */
      cloud: 'cloud_a' | 'cloud_b';
      region: string;
      /** @enum {string} */
      area: 'us' | 'eu' | 'ap' | 'ca' | 'sa';
      tier: string;
      /** @enum {string} */
      cluster: 'standalone' | 'cluster';
      nodes_count: number;
      supervisor_url: string;
      status: components['schemas']['DeploymentStatus'];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      /** @description short and unique, also part of the domain */
      code: string;
      protected: boolean;
      description: string | null;
      /** @description why the status is what it is */
      status_reason: string | null;
      /** @description the upgrades so far */
      upgrades: Record<string, never>[];
    };
    ClusterKeys: ('standalone' | 'cluster')[];
    StorageKeys: ('local_ssd' | 'network_balanced')[];
    Cloud: {
      key: string;
      name: string;
    };
    Region: {
      key: string;
      name: string;
      /** @enum {string} */
      area: 'us' | 'eu' | 'ap' | 'ca' | 'sa';
    };
    Tier: {
      key: string;
      name: string;
      description?: string;
      /** @description machine type */
      instance?: string;
      /** @description whether the plan leaves room for another deployment of this tier */
      available: boolean;
      /** @description how many deployments of this tier the plan allows */
      limit: number;
      vcpus: number;
      memory_gib: number;
      clusters: components['schemas']['ClusterKeys'];
      storages: components['schemas']['StorageKeys'];
      /** @description the most that a deployment may move; null: no limit */
      rate_limit: string | null;
    };
    Storage: {
      key: string;
      name: string;
      description: string;
      available: boolean;
      clusters: components['schemas']['ClusterKeys'];
    };
    Cluster: {
      key: string;
      name: string;
      description: string;
      /** @description whether it is switched on and in the plan */
      available: boolean;
      tiers: string[];
    };
    Division: {
      id: components['schemas']['DivisionId'];
      name: string;
      description: string | null;
      email: string | null;
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    Environment: {
      id: components['schemas']['EnvironmentId'];
      name: string;
      description: string | null;
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    Invitation: {
      id: components['schemas']['InvitationId'];
      email: string;
      /** @enum {string} */
      status: 'pending' | 'accepted' | 'rejected' | 'expired';
      /** @description names of roles */
      roles: string[];
      invited_by: components['schemas']['Ref'];
      created_at: components['schemas']['Timestamp'];
      expires_at: components['schemas']['Timestamp'];
    };
    JoinRequestPage: {
      items: components['schemas']['JoinRequest'][];
      page: number;
      total_results: components['schemas']['TotalResults'];
      total_pages: components['schemas']['TotalResults'];
    };
    JoinRequest: {
      id: components['schemas']['JoinRequestId'];
      user: components['schemas']['Ref'];
      email: string;
      /** @enum {string} */
      status: 'pending' | 'approved' | 'rejected';
      created_at: components['schemas']['Timestamp'];
      /** Format: date-time */
      decided_at: string | null;
    };
    Member: {
      id: components['schemas']['UserId'];
      email: string;
      name: string;
      active: boolean;
      /** @description names of roles */
      roles: string[];
      created_at: components['schemas']['Timestamp'];
    };
    MemberPage: {
      items: components['schemas']['Member'][];
      page: number;
      total_results: components['schemas']['TotalResults'];
      total_pages: components['schemas']['TotalResults'];
    };
    MemberIds: {
      members: UserId[];
    };
    OptionalRoleIds: RoleId[] | null;
    PermissionCatalogue: {
      key: string;
      name: string;
      description: string;
    }[];
    /** @description 1 to 100 characters, without control characters and surrounding spaces */
    Name: string;
    /** @description 1 to 100 characters, without control characters and surrounding spaces */
    OptionalName: string | null;
    OptionalDescription: string | null;
    /** Format: email */
    OptionalEmail: string | null;
    OptionalFlag: boolean | null;
    TotalResults: number;
    OwnInvitation: {
      id: components['schemas']['InvitationId'];
      tenant: components['schemas']['Ref'];
      email: string;
      /** @enum {string} */
      status: 'pending' | 'accepted' | 'rejected' | 'expired';
      /** @description names of roles */
      roles: string[];
      invited_by: components['schemas']['Ref'];
      created_at: components['schemas']['Timestamp'];
      expires_at: components['schemas']['Timestamp'];
    };
    TenantInput: {
      name: components['schemas']['Name'];
      description?: components['schemas']['OptionalDescription'];
      /**
       * Format: email
       * @description the contact address; the founder's own when left out
       */
      email?: string | null;
      /** @description the name of its first division; `default` when left out */
      division?: string | null;
    };
    OwnTenantPage: {
      items: components['schemas']['OwnTenant'][];
      page: number;
      total_results: components['schemas']['TotalResults'];
      total_pages: components['schemas']['TotalResults'];
    };
    OwnTenant: {
      id: components['schemas']['TenantId'];
      name: string;
      description: string | null;
      email: string;
      /** @description whether the user owns it */
      owner: boolean;
      /** @description whether the membership is active */
      active: boolean;
      has_custom_email_domain: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /** @description What shall be deleted. The payload has exactly the ids that lead to it: `tenant_id` for `delete_tenant`, also `division_id` for `delete_division`, also `environment_id` for `delete_environment`, and all four for `delete_deployment`. Ids that do not belong together, or to the tenant of the path, are not found. */
    ProtectedAction: {
      /** @enum {string} */
      action_type: 'delete_tenant' | 'delete_division' | 'delete_environment' | 'delete_deployment';
      payload: {
        tenant_id: TenantId;
        division_id?: DivisionId | null;
        environment_id?: EnvironmentId | null;
        deployment_id?: DeploymentId | null;
      };
    };
    Role: {
      id: components['schemas']['RoleId'];
      name: string;
      /** @enum {string} */
      kind: 'system' | 'custom';
    };
    RoleDetail: {
      id: components['schemas']['RoleId'];
      name: string;
      /** @enum {string} */
      kind: 'system' | 'custom';
      permissions: components['schemas']['PermissionsDetail'];
    };
    PermissionNames: string[];
    /** @description Written out: a permission to manage comes with the one to read, and an override shows what it inherits. Overrides of divisions and environments that are gone are left out. A system role shows its environment grants for each division. */
    PermissionsDetail: {
      tenant: components['schemas']['PermissionNames'];
      division: components['schemas']['PermissionNames'];
      environment: components['schemas']['PermissionNames'];
      /** @description overrides, by division id */
      divisions: {
        [key: string]: {
          name: string;
          permissions: components['schemas']['PermissionNames'];
          environment: components['schemas']['PermissionNames'];
          /** @description overrides, by environment id */
          environments: {
            [key: string]: {
              name: string;
              permissions: components['schemas']['PermissionNames'];
            };
          };
        };
      };
    };
    /** @description What a role grants, as names from the permission catalogue. An override replaces the defaults for one division or environment: a field that it leaves out, or that is null, inherits, an empty array grants nothing. */
    PermissionsInput: {
      tenant?: components['schemas']['PermissionNamesInput'];
      division?: components['schemas']['PermissionNamesInput'];
      environment?: components['schemas']['PermissionNamesInput'];
      /** @description overrides, by division id */
      divisions?: {
        [key: string]: {
          permissions?: components['schemas']['PermissionNamesInput'];
          environment?: components['schemas']['PermissionNamesInput'];
          /** @description overrides, by environment id */
          environments?: {
            [key: string]: string[];
          } | null;
        };
      } | null;
    };
    PermissionNamesInput: string[] | null;
    PendingSignIn: {
      /** @enum {string} */
      next: 'sign_in' | 'sign_up';
      name: string | null;
      email: string | null;
      email_verified: boolean;
    };
    SignUpInput: {
      name: components['schemas']['Name'];
      /** @description a tenant to found; not together with `invitation` */
      tenant?: components['schemas']['TenantInput'] | null;
      /** @description the id of an invitation to accept */
      invitation?: InvitationId | null;
    };
    /**
     * @description What becomes of somebody who signs up with an address of the tenant's domain: they wait to be invited, become a member with the role viewer, or make a request that a member decides.
     * @enum {string}
     */
    JoinPolicy: 'invite_only' | 'open' | 'request_to_join';
    TenantConfig: {
      join_policy: components['schemas']['JoinPolicy'];
      /** @description whether other tenants are kept from inviting people of this tenant's domain */
      block_external_invitations: boolean;
      /** @description whether this tenant can invite people of its own domain only */
      enforce_domain_only_invitations: boolean;
      /** @description the domain claimed when the tenant was founded; absent when none was */
      email_domain?: string;
      email_domain_verified_at?: components['schemas']['Timestamp'];
    };
    Tenant: {
      id: components['schemas']['TenantId'];
      name: string;
      description: string | null;
      email: string;
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      features: components['schemas']['Features'];
      subscription: components['schemas']['Subscription'];
      /** @description whether another Free-tier deployment can be created */
      starter_available: boolean;
      has_payment_method: boolean;
      has_custom_email_domain: boolean;
    };
    /** @description The plan's limits and capabilities, with what was agreed for this tenant in place of the plan's values. */
    Features: {
      invitations_limit: number;
      members_limit: number;
      roles_limit: number;
      divisions_limit: number;
      environments_limit: number;
      deployment_access_rules_limit: number;
      deployment_configs_limit: number;
      deployment_backups_limit: number;
      deployment_snapshots_limit: number;
      private_connections_limit: number;
      private_endpoints_limit: number;
      audit_retention_days: number;
      api_keys_limit: number;
      cloud_accounts_limit: number;
      notification_channels_limit: number;
      notification_subscriptions_limit: number;
      custom_domains_limit: number;
      backup_regions_limit: number;
      nodes_per_deployment_limit: number;
      backup_retention_days: number;
      snapshot_retention_days: number;
      pending_invitations_limit: number;
      api_key_allowed_ips_limit: number;
      divisions_per_role_limit: number;
      environments_per_division_limit: number;
      concurrent_deployments_limit: number;
      byoc_enabled: boolean;
      cluster_enabled: boolean;
      on_premise_enabled: boolean;
      private_networking_enabled: boolean;
      multi_az_enabled: boolean;
      dedicated_enabled: boolean;
      backup_enabled: boolean;
      cross_region_dr_enabled: boolean;
      audit_export_enabled: boolean;
      advanced_connectors_enabled: boolean;
      customer_managed_keys_enabled: boolean;
      advanced_notification_channels_enabled: boolean;
      deployment_tiers: {
        tier: string;
        limit: number;
      }[];
    };
    /** @description Renews every month; `valid_from` and `valid_to` are the ends of the present month. */
    Subscription: {
      id: components['schemas']['Id'];
      /** @enum {string} */
      plan: 'basic' | 'pro' | 'enterprise';
      active: boolean;
      created_at: components['schemas']['Timestamp'];
      valid_from: components['schemas']['Timestamp'];
      valid_to: components['schemas']['Timestamp'];
    };
    Structure: {
      id: components['schemas']['Id'];
      name: string;
      divisions: {
        id: components['schemas']['Id'];
        name: string;
        environments: {
          id: components['schemas']['Id'];
          name: string;
          deployments: components['schemas']['StructureDeployment'][];
        }[];
      }[];
    };
    StructureDeployment: {
      id: components['schemas']['Id'];
      name: string;
      cloud: string;
      region: string;
      variant: string;
      tier: string;
      supervisor_url: string;
    };
    Summary: {
      total_divisions: number;
      total_environments: number;
      total_deployments: number;
    };
  };
  responses: {
    /** @description the request was refused or failed */
    Problem: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: {
    /** @description the page, counted from 1; a page past the end is empty */
    Page: number;
    /** @description entries per page */
    Results: number;
    TenantId: components['schemas']['TenantId'];
    DivisionId: components['schemas']['DivisionId'];
    EnvironmentId: components['schemas']['EnvironmentId'];
    DeploymentId: components['schemas']['DeploymentId'];
    /** @description the one-time code, needed when the resource is protected */
    ProtectionCode: string;
    ApiKeyId: components['schemas']['ApiKeyId'];
    /** @description only those whose name contains this, whatever its case */
    NameContains: string;
    Cloud: string;
    Region: string;
    JoinRequestId: components['schemas']['JoinRequestId'];
    RoleId: components['schemas']['RoleId'];
  };
  requestBodies: never;
  headers: {
    /** @description where the new resource is */
    Location: string;
    /** @description the id of the new resource */
    CreatedId: number;
    /** @description RFC 8288 links to the first, previous, next and last page */
    Link: string;
    /** @description HttpOnly, SameSite=Lax */
    SetCookie: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the account */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Account'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  updateAccountSettings: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountSettingsInput'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the sessions */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  deleteOtherSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description ended */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  deleteSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        session_id: components['schemas']['SessionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description ended */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  exportAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the user's data, without anything that could be used as a credential */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountExport'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those whose name contains this, whatever its case */
        name?: components['parameters']['NameContains'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of API keys */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyPage'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApiKeyInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getApiKeyContext: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the calling key */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the API key */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  deleteApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  updateApiKeySecurity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApiKeySecurity'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  rotateApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['Rotation'];
      };
    };
    responses: {
      /** @description the key with its new token */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listDivisionApiKeys: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those whose name contains this, whatever its case */
        name?: components['parameters']['NameContains'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of API keys */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyPage'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createDivisionApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DivisionApiKeyInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getDivisionApiKeyContext: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the calling key */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getDivisionApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the API key */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  deleteDivisionApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  updateDivisionApiKeySecurity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApiKeySecurity'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  rotateDivisionApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['Rotation'];
      };
    };
    responses: {
      /** @description the key with its new token */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createStarterDeployment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @enum {string} */
          cloud: 'cloud_a' | 'cloud_b';
          region: string;
          environment_id?: EnvironmentId | null;
          /** @description `sandbox` unless given */
          environment_name?: components['schemas']['OptionalName'];
          /** @description generated unless given */
          deployment_name?: components['schemas']['OptionalDeploymentName'];
        };
      };
    };
    responses: {
      /** @description accepted; `status` tells how far it is */
      202: {
        headers: {
          Location: components['headers']['Location'];
          /** @description the id of its environment */
          'svc-environment'?: number;
          'svc-deployment': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createManagedDeployment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ManagedDeploymentInput'];
      };
    };
    responses: {
      /** @description accepted; `status` tells how far it is */
      202: {
        headers: {
          Location: components['headers']['Location'];
          /** @description the id of its environment */
          'svc-environment'?: number;
          'svc-deployment': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listDeployments: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of deployments */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Deployment'][];
            page: number;
            total_results: components['schemas']['TotalResults'];
            total_pages: components['schemas']['TotalResults'];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getDeployment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the deployment */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  deleteDeployment: {
    parameters: {
      query?: {
        /** @description the one-time code, needed when the resource is protected */
        code?: components['parameters']['ProtectionCode'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listClouds: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cloud'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listRegions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Region'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listTiers: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
        region: components['parameters']['Region'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Tier'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listStorages: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
        region: components['parameters']['Region'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Storage'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listClusters: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        cloud: components['parameters']['Cloud'];
        region: components['parameters']['Region'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cluster'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listDivisions: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of divisions */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Division'][];
            page: number;
            total_results: components['schemas']['TotalResults'];
            total_pages: components['schemas']['TotalResults'];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createDivision: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['Name'];
          description?: components['schemas']['OptionalDescription'];
          email?: components['schemas']['OptionalEmail'];
        };
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-division': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Division'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getDivision: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the division */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Division'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  updateDivision: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: components['schemas']['OptionalName'];
          description?: components['schemas']['OptionalDescription'];
          email?: components['schemas']['OptionalEmail'];
          protected?: components['schemas']['OptionalFlag'];
        };
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  deleteDivision: {
    parameters: {
      query?: {
        /** @description the one-time code, needed when the resource is protected */
        code?: components['parameters']['ProtectionCode'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listEnvironments: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of environments */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Environment'][];
            page: number;
            total_results: components['schemas']['TotalResults'];
            total_pages: components['schemas']['TotalResults'];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createEnvironment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['Name'];
          description?: components['schemas']['OptionalDescription'];
        };
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-environment': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Environment'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getEnvironment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the environment */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Environment'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  updateEnvironment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: components['schemas']['OptionalName'];
          description?: components['schemas']['OptionalDescription'];
          protected?: components['schemas']['OptionalFlag'];
        };
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  deleteEnvironment: {
    parameters: {
      query?: {
        /** @description the one-time code, needed when the resource is protected */
        code?: components['parameters']['ProtectionCode'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        division_id: components['parameters']['DivisionId'];
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listInvitations: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of invitations */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Invitation'][];
            page: number;
            total_results: components['schemas']['TotalResults'];
            total_pages: components['schemas']['TotalResults'];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** Format: email */
          email: string;
          roles?: components['schemas']['OptionalRoleIds'];
        };
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-invitation': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Invitation'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  deleteInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        invitation_id: components['schemas']['InvitationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description taken back */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listJoinRequests: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of join requests, decided ones included */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JoinRequestPage'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  approveJoinRequest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description approved */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  rejectJoinRequest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description rejected */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listMembers: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of members */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MemberPage'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listGrantablePermissions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the permission catalogue */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            tenant: components['schemas']['PermissionCatalogue'];
            division: components['schemas']['PermissionCatalogue'];
            environment: components['schemas']['PermissionCatalogue'];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  updateMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        member_id: components['schemas']['UserId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          active?: components['schemas']['OptionalFlag'];
          roles?: components['schemas']['OptionalRoleIds'];
        };
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  deleteMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        member_id: components['schemas']['UserId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description removed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listRoleMembers: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of members */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MemberPage'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  assignRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MemberIds'];
      };
    };
    responses: {
      /** @description all of them have the role */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  revokeRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MemberIds'];
      };
    };
    responses: {
      /** @description none of them has the role */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listOwnInvitations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the invitations, answered and expired ones included */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OwnInvitation'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  acceptInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        invitation_id: components['schemas']['InvitationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description accepted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  rejectInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        invitation_id: components['schemas']['InvitationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description rejected */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listOwnTenants: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of tenants */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OwnTenantPage'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createTenant: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TenantInput'];
      };
    };
    responses: {
      /** @description founded */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-tenant': components['headers']['CreatedId'];
          /** @description the id of its division */
          'svc-division'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OwnTenant'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  leaveTenant: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description left */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  requestProtectionCode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          action: components['schemas']['ProtectedAction'];
        };
      };
    };
    responses: {
      /** @description the mail is on its way */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listRoles: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of roles */
      200: {
        headers: {
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Role'][];
            page: number;
            total_results: components['schemas']['TotalResults'];
            total_pages: components['schemas']['TotalResults'];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: components['schemas']['Name'];
          permissions: components['schemas']['PermissionsInput'];
        };
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-role': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RoleDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the role */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RoleDetail'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  updateRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: components['schemas']['OptionalName'];
          permissions?: components['schemas']['PermissionsInput'] | null;
        };
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  deleteRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  beginSignIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description an identity provider */
          source: string;
        };
      };
    };
    responses: {
      /** @description where to send the browser */
      200: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** Format: uri */
            url: string;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  completeSignIn: {
    parameters: {
      query?: {
        state?: string;
        code?: string;
        error?: string;
        iss?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description what to do next, where the installation has no page for it */
      200: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PendingSignIn'];
        };
      };
      /** @description to the page of the installation */
      303: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          /** @description that page */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  signIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the account; the session is in the cookie */
      200: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Account'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  signUp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SignUpInput'];
      };
    };
    responses: {
      /** @description the account; the session is in the cookie */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'Set-Cookie': components['headers']['SetCookie'];
          'svc-account': components['headers']['CreatedId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Account'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  signOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description signed out */
      204: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  getTenantConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the configuration */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TenantConfig'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  replaceTenantConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          join_policy: components['schemas']['JoinPolicy'];
          block_external_invitations: boolean;
          enforce_domain_only_invitations: boolean;
        };
      };
    };
    responses: {
      /** @description in force */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  getTenant: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the tenant */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Tenant'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  updateTenant: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name?: components['schemas']['OptionalName'];
          description?: components['schemas']['OptionalDescription'];
          email?: components['schemas']['OptionalEmail'];
          protected?: components['schemas']['OptionalFlag'];
        };
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  deleteTenant: {
    parameters: {
      query?: {
        /** @description the one-time code, needed when the resource is protected */
        code?: components['parameters']['ProtectionCode'];
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  getStructure: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the tree */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Structure'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getSummary: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the totals */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Summary'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
}
