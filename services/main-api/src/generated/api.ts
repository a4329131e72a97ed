// Generated from the OpenAPI document by `npm run generate`: change that, not this.

import type {
  ApiKeyId,
  ChannelId,
  ChannelSubscriptionId,
  CloudAccountId,
  ConnectorInstanceId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  IdentityId,
  InvitationId,
  JoinRequestId,
  NotificationId,
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
     * Get the account of whoever is signed in
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
    /**
     * List the user's sessions
     * @description Newest first.
     */
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
        /** @description a session of the user */
        session_id: components['parameters']['SessionId'];
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
    /**
     * Export everything that the Main API holds about the user
     * @description Without anything that could be used as a credential.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List the API keys of the tenant
     * @description Those of its divisions included, newest first.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * Get the calling key itself
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /**
     * Get an API key with what it grants
     * @description Without its token, which nobody can read again.
     */
    get: operations['getApiKey'];
    put?: never;
    post?: never;
    /**
     * Delete an API key
     * @description When this answers, no API accepts the key any more. The caller has to hold all that the key grants; the owner may always.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Say from which addresses an API key may be used
     * @description Replaces what was said before, on every API as soon as this answers. The caller has to hold all that the key grants; the owner may always.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give an API key another token
     * @description The token is shown this once. The one before it works until the grace is over, and tokens from earlier rotations until theirs; without a grace no API accepts any of them any more when this answers. The new token acts as the key's user, so only that user can ask for it, holding all that the key grants.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * List the API keys of a division
     * @description Newest first.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * Get the calling key of a division itself
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /**
     * Get an API key of a division with what it grants
     * @description Without its token, which nobody can read again.
     */
    get: operations['getDivisionApiKey'];
    put?: never;
    post?: never;
    /**
     * Delete an API key of a division
     * @description When this answers, no API accepts the key any more. The caller has to hold all that the key grants; the owner may always.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Say from which addresses an API key of a division may be used
     * @description Replaces what was said before, on every API as soon as this answers. The caller has to hold all that the key grants; the owner may always.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give an API key of a division another token
     * @description The token is shown this once. The one before it works until the grace is over, and tokens from earlier rotations until theirs; without a grace no API accepts any of them any more when this answers. The new token acts as the key's user, so only that user can ask for it, holding all that the key grants.
     */
    post: operations['rotateDivisionApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/byoc/setup': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell what to prepare in a cloud account
     * @description What has to be allowed in the tenant's account before deployments can be made there. It is the same for the whole tenant and at every time, and nothing is changed by asking. Needs the capability `byoc_enabled`.
     */
    post: operations['setUpByoc'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/byoc': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a deployment in a cloud account of the tenant
     * @description As `createManagedDeployment`, with the object of its cloud: what `setUpByoc` has had prepared. Needs the capability `byoc_enabled`. An account that is saved as a cloud account has to be `active` there, and what the object leaves out is taken from its settings, as they are at this moment.
     */
    post: operations['createByocDeployment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/cloud_accounts': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List cloud accounts
     * @description Newest first, without their settings and remarks. Those that match every filter given.
     */
    get: operations['listCloudAccounts'];
    put?: never;
    /**
     * Create a cloud account
     * @description It is `active`. The name is unique in the tenant, whatever its case. `settings` are stored encrypted. The plan limits how many accounts there can be, whatever their status.
     */
    post: operations['createCloudAccount'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/cloud_accounts/{cloud_account_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a cloud account of the tenant */
        cloud_account_id: components['parameters']['CloudAccountId'];
      };
      cookie?: never;
    };
    /**
     * Get a cloud account
     * @description With its settings and remarks.
     */
    get: operations['getCloudAccount'];
    /**
     * Change a cloud account
     * @description Without a field nothing changes; null clears `region`, `settings` and `remarks`. New settings take the place of the former ones whole. The cloud stays what it is, and any status can follow any other: one that is `deleted` is still listed.
     */
    put: operations['updateCloudAccount'];
    post?: never;
    /**
     * Delete a cloud account
     * @description Deployments in it go on, but cannot be made anew.
     */
    delete: operations['deleteCloudAccount'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/connectors': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the connectors that a deployment can have
     * @description The whole catalogue, in a fixed order, each entry with what of it was activated here.
     */
    get: operations['listConnectors'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/connectors/activate': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Activate a connector on a deployment
     * @description Makes an instance of it, `pending` until the deployment's nodes have it, and switched off until it is configured. The same connector can be activated more than once. What the region will not have is `failed` with the reason, and can be activated anew, also under the same key. A connector that a plan of more is needed for is 403 `feature_not_available`, one that is not `available` 409 `connector_not_available`.
     */
    post: operations['activateConnector'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a starter deployment
     * @description A Free-tier deployment for development, in the environment `environment_id`, or in the one named `environment_name`, which is created if the division has no such environment. Only one of the two can be given.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a managed deployment
     * @description On the platform's infrastructure. Answers at once; the deployment is ready when it is `initialized`.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /**
     * List the deployments of an environment
     * @description Newest first.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Get a deployment
     * @description What it is made of and how it can be reached is answered by its supervisor at `supervisor_url`.
     */
    get: operations['getDeployment'];
    /**
     * Change a deployment
     * @description Without a field nothing changes. Anybody who may change the deployment can protect it; only the tenant's owner can lower the protection. One that is being deleted is not changed any more.
     */
    put: operations['updateDeployment'];
    post?: never;
    /**
     * Delete a deployment
     * @description With everything in it. A protected deployment needs a one-time code. The deployment is `deleting` until nothing is left of it, and not found from then on; only then its name and its place in the plan's limits are free. Asking again changes nothing.
     */
    delete: operations['deleteDeployment'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/spend_limit': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Set what a deployment may cost in a month
     * @description Null takes the limit away. One that is being deleted is not changed any more.
     */
    put: operations['setSpendLimit'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/retention': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Set for how long a deployment's telemetry is kept
     * @description What is older than a shorter time is deleted. One that is being deleted is not changed any more.
     */
    put: operations['setRetention'];
    post?: never;
    delete?: never;
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List the clouds that deployments can be in
     * @description Each has regions.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
      };
      cookie?: never;
    };
    /**
     * List the regions of a cloud that take deployments
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
        /** @description key of a region of the cloud */
        region: components['parameters']['PathRegion'];
      };
      cookie?: never;
    };
    /**
     * List the tiers of a region
     * @description With what the tenant's plan leaves of them.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
        /** @description key of a region of the cloud */
        region: components['parameters']['PathRegion'];
      };
      cookie?: never;
    };
    /**
     * List the kinds of storage
     * @description Tiers say which of them they can have.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
        /** @description key of a region of the cloud */
        region: components['parameters']['PathRegion'];
      };
      cookie?: never;
    };
    /**
     * List the kinds of cluster
     * @description Tiers say which of them they can have.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List divisions
     * @description Those that the caller may see, newest first; a key that is bound to a division sees that one.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * Get a division
     * @description `info:read` in the division is enough, and so is a key that is bound to it. A division that the caller may not see answers 404.
     */
    get: operations['getDivision'];
    /**
     * Change a division
     * @description Without a field nothing changes. `info:manage` in the division is enough. Anybody who may change the division can protect it; only the tenant's owner can lower the protection.
     */
    put: operations['updateDivision'];
    post?: never;
    /**
     * Delete a division
     * @description With its environments and its API keys. Its deployments have to be gone, and nothing in it may be protected. A protected division needs a one-time code.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * List the environments of a division
     * @description Those that the caller may see, newest first. A key that is bound to the division needs no permission for that.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /**
     * Get an environment
     * @description `info:read` in the environment is enough, and so is a key that is bound to the division. An environment that the caller may not see answers 404.
     */
    get: operations['getEnvironment'];
    /**
     * Change an environment
     * @description Without a field nothing changes. `info:manage` in the environment is enough. Anybody who may change the environment can protect it; only the tenant's owner can lower the protection.
     */
    put: operations['updateEnvironment'];
    post?: never;
    /**
     * Delete an environment
     * @description Its deployments have to be gone, and none of them may be protected. A protected environment needs a one-time code.
     */
    delete: operations['deleteEnvironment'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/identities': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the identities that the user can sign in with
     * @description Oldest first.
     */
    get: operations['listIdentities'];
    put?: never;
    /**
     * Link the identity that the provider has vouched for
     * @description Once per callback of an attempt that this user has begun for it. The user is told by mail. An identity that is linked already, with whatever account, is 409.
     */
    post: operations['linkIdentity'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/identities/intents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begin to link an identity with the account
     * @description Send the person's browser to `url`; when it is back, the next step is to link. The attempt belongs to this browser and this user, and is over after ten minutes.
     */
    post: operations['beginLink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/identities/{identity_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description an identity of the user */
        identity_id: components['parameters']['IdentityId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Unlink an identity
     * @description Its provider does not sign the user in any more, and the sessions that it has vouched for end, this one included. Its address decides nothing for the user any more; if it is that of the account, the verified address of another linked identity takes its place. The last identity cannot be unlinked (409), nor the only one with a verified address that no other account has.
     */
    delete: operations['deleteIdentity'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List the invitations of the tenant
     * @description Newest first.
     */
    get: operations['listInvitations'];
    put?: never;
    /**
     * Invite somebody into the tenant
     * @description Mails them. Whoever has this address, verified by an identity provider, can accept within seven days and becomes a member with the roles, which can grant only what the caller holds, now and when it is accepted. Of two limits of the plan, `invitations_limit` counts the invitations that were made in the last seven days, whatever has become of them, and `pending_invitations_limit` those that can still be answered.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an invitation */
        invitation_id: components['parameters']['InvitationId'];
      };
      cookie?: never;
    };
    /**
     * Get an invitation of the tenant
     * @description Answered and expired ones too; one that was taken back is 404.
     */
    get: operations['getInvitation'];
    put?: never;
    post?: never;
    /**
     * Take back an invitation that nobody has answered
     * @description Nobody can accept it any more. The caller has to hold what its roles grant; the owner may always. One that was accepted or rejected is 409 `state_conflict`.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List join requests
     * @description Decided ones included, newest first.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a join request of the tenant */
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Approve a join request
     * @description Makes whoever asks a member with the role viewer. The caller has to hold what that role grants. A request that is decided is 409, and so is one of a person who has no linked identity with a verified address of the tenant's domain any more.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a join request of the tenant */
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Reject a join request
     * @description The caller has to hold what the role viewer grants. A request that is decided is 409.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List the members of the tenant
     * @description Newest first. A member has the id of their user account.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List all permissions that roles can grant
     * @description By the scope in which they are granted.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a member of the tenant, by the id of their user account */
        member_id: components['parameters']['MemberId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Change a member
     * @description Without a field nothing changes. `active: false` keeps the membership and refuses every key and session of it; `roles` are all that the member has afterwards. The caller has to hold what the roles grant that are added or taken, and what all of them grant when the member becomes active or inactive; the owner may always. Nobody changes the owner or themselves. When this answers, every API decides by it.
     */
    put: operations['updateMember'];
    post?: never;
    /**
     * Remove a member from the tenant
     * @description Their roles in the tenant and all API keys of the tenant that act as them go too. The caller has to hold what their roles grant; the owner may always. Nobody removes the owner or themselves. When this answers, no API accepts the keys any more.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    /**
     * List the members who have a role
     * @description Newest members first.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Take a role from members
     * @description The caller has to hold all that the role grants; the owner may always. Nobody changes the owner or themselves. When this answers, every API decides without it.
     */
    put: operations['revokeRole'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications/types': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the types of events that channels are told of
     * @description The same for everybody.
     */
    get: operations['listNotificationTypes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/channels': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List the notification channels
     * @description Newest first, without their destinations and settings.
     */
    get: operations['listChannels'];
    put?: never;
    /**
     * Create a notification channel
     * @description It is enabled, and told of everything until it has a subscription. Its name is unique among the channels of its owner, whatever its case. `destination` is an `https://` address for `chat` and `webhook`, which must not be a private or internal one, and a mail address for `email`; it and `settings` are stored encrypted. The plan limits how many channels a tenant has with those of its divisions, and whether webhooks have headers or a method of their own.
     */
    post: operations['createChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/channels/{channel_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /**
     * Get a notification channel
     * @description With its destination and settings. Whoever may not change it sees of the destination who has it alone, no values of headers, and no signing secret.
     */
    get: operations['getChannel'];
    /**
     * Change a notification channel
     * @description Without a field nothing changes. `settings` take the place of the former ones whole; null clears them and `remarks`. `***` keeps the value of a header, and leaving `settings` out keeps all, as long as the destination stays the same; else the headers have to be given anew (`nothing_stored`). The kind of a channel stays what it is. What waits to be delivered goes to a new destination; what is due while the channel is switched off is failed, and says so in the history. At most the message that is under way, and those of two seconds more, go out as before.
     */
    put: operations['updateChannel'];
    post?: never;
    /**
     * Delete a notification channel
     * @description With its subscriptions and its history, for good. What waits to be delivered is not delivered any more, within two seconds.
     */
    delete: operations['deleteChannel'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/channels/{channel_id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test message to a notification channel
     * @description Also to one that is not enabled, and at most once in ten seconds. What became of it is in the history, as `channel_test`.
     */
    post: operations['testChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/channels/{channel_id}/subscriptions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /**
     * List the subscriptions of a notification channel
     * @description Newest first; levels that name nothing are left out.
     */
    get: operations['listChannelSubscriptions'];
    /**
     * Replace all subscriptions of a notification channel
     * @description All at once, or none of it. Without any the channel is told of everything.
     */
    put: operations['replaceChannelSubscriptions'];
    /**
     * Subscribe a notification channel
     * @description A channel with subscriptions is told of the events that match at least one: its type is one of `message_types`, and at each level that names ids it happened at one of these. The plan limits how many a channel has.
     */
    post: operations['createChannelSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/channels/{channel_id}/subscriptions/{subscription_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
        /** @description a subscription of the channel */
        subscription_id: components['parameters']['SubscriptionId'];
      };
      cookie?: never;
    };
    /**
     * Get a subscription of a notification channel
     * @description With all levels of its scope, also those that name nothing.
     */
    get: operations['getChannelSubscription'];
    put?: never;
    post?: never;
    /**
     * Delete a subscription of a notification channel
     * @description With the last one gone the channel is told of everything.
     */
    delete: operations['deleteChannelSubscription'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/channels/{channel_id}/notifications': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /**
     * List what a notification channel was told
     * @description Newest first, for 30 days. A notification is attempted six times; `throttled` ones are not sent, since another one of their type about the same resource was less than a minute before.
     */
    get: operations['listNotifications'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/channels': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * List the notification channels of a division
     * @description Newest first, without their destinations and settings.
     */
    get: operations['listDivisionChannels'];
    put?: never;
    /**
     * Create a notification channel of a division
     * @description It is enabled, and told of everything until it has a subscription. Its name is unique among the channels of its owner, whatever its case. `destination` is an `https://` address for `chat` and `webhook`, which must not be a private or internal one, and a mail address for `email`; it and `settings` are stored encrypted. The plan limits how many channels a tenant has with those of its divisions, and whether webhooks have headers or a method of their own.
     */
    post: operations['createDivisionChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /**
     * Get a notification channel of a division
     * @description With its destination and settings. Whoever may not change it sees of the destination who has it alone, no values of headers, and no signing secret.
     */
    get: operations['getDivisionChannel'];
    /**
     * Change a notification channel of a division
     * @description Without a field nothing changes. `settings` take the place of the former ones whole; null clears them and `remarks`. `***` keeps the value of a header, and leaving `settings` out keeps all, as long as the destination stays the same; else the headers have to be given anew (`nothing_stored`). The kind of a channel stays what it is. What waits to be delivered goes to a new destination; what is due while the channel is switched off is failed, and says so in the history. At most the message that is under way, and those of two seconds more, go out as before.
     */
    put: operations['updateDivisionChannel'];
    post?: never;
    /**
     * Delete a notification channel of a division
     * @description With its subscriptions and its history, for good. What waits to be delivered is not delivered any more, within two seconds.
     */
    delete: operations['deleteDivisionChannel'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test message to a notification channel of a division
     * @description Also to one that is not enabled, and at most once in ten seconds. What became of it is in the history, as `channel_test`.
     */
    post: operations['testDivisionChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/subscriptions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /**
     * List the subscriptions of a notification channel of a division
     * @description Newest first; levels that name nothing are left out.
     */
    get: operations['listDivisionChannelSubscriptions'];
    /**
     * Replace all subscriptions of a notification channel of a division
     * @description All at once, or none of it. Without any the channel is told of everything.
     */
    put: operations['replaceDivisionChannelSubscriptions'];
    /**
     * Subscribe a notification channel of a division
     * @description A channel with subscriptions is told of the events that match at least one: its type is one of `message_types`, and at each level that names ids it happened at one of these. The plan limits how many a channel has. Only what is in the division can be named.
     */
    post: operations['createDivisionChannelSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/subscriptions/{subscription_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
        /** @description a subscription of the channel */
        subscription_id: components['parameters']['SubscriptionId'];
      };
      cookie?: never;
    };
    /**
     * Get a subscription of a notification channel of a division
     * @description With all levels of its scope, also those that name nothing.
     */
    get: operations['getDivisionChannelSubscription'];
    put?: never;
    post?: never;
    /**
     * Delete a subscription of a notification channel of a division
     * @description With the last one gone the channel is told of everything.
     */
    delete: operations['deleteDivisionChannelSubscription'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/channels/{channel_id}/notifications': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /**
     * List what a notification channel of a division was told
     * @description Newest first, for 30 days. A notification is attempted six times; `throttled` ones are not sent, since another one of their type about the same resource was less than a minute before.
     */
    get: operations['listDivisionNotifications'];
    put?: never;
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
    /**
     * List the invitations of the user
     * @description Those to the verified addresses of the identities that are linked now. Answered and expired ones included, newest first.
     */
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
        /** @description an invitation */
        invitation_id: components['parameters']['InvitationId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Accept an invitation
     * @description Makes the user a member of the tenant; the rights hold when this answers. One to an address that no linked identity has, verified, is 404. One that has expired is 410, and so is one whose maker could not give any more what it gives; one that is answered is 409; the limits of the tenant's members and of the user's memberships hold.
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
        /** @description an invitation */
        invitation_id: components['parameters']['InvitationId'];
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
     * List the tenants of which the user is a member
     * @description Newest first. A membership that is not active is listed, but gives access to nothing.
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
        /** @description the tenant */
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
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/preview': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview what a deployment would cost in a month
     * @description Creates nothing. What is left out is as the tier has it. Each part is reckoned exactly and rounded half up to cents, and the total is the sum of the rounded parts. A Free-tier deployment costs nothing. What the tenant's plan does not allow has its price all the same; only what nobody could have is refused.
     */
    post: operations['previewDeployment'];
    delete?: never;
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Have a one-time code for a deletion mailed to the tenant's address
     * @description The code has 8 digits and goes into the `code` parameter of the deletion that it was asked for; it is of no use for any other. It is valid for 10 minutes and for one deletion, and asking for another makes it void. A code can be asked for once in 60 seconds for the same resource (429 `protection_code_throttled`). Five wrong codes within 10 minutes lock the deletion for 10 more, for right codes as well and for asking (429 `protection_locked`). Both say in `Retry-After` how many seconds to wait. A resource that is not protected needs no code, but one can be asked for. Where the mail could not be delivered, asking again too soon and deleting without a code are refused with the reason, in `mail_failure`.
     *
     *     The caller needs what the deletion itself needs, and nothing else: `division:manage` in the tenant, `environment:manage` in the division, `deployment:manage` in the environment, or to be the owner for the tenant.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * List the roles that members and API keys can have
     * @description Newest first.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    /**
     * Get a role with what it grants
     * @description Written out, with what its overrides inherit.
     */
    get: operations['getRole'];
    /**
     * Change a custom role
     * @description Without a field nothing changes; permissions replace all that the role grants. The caller has to hold what the role grants, before and afterwards; the owner may always. When this answers, every API decides by the changed role.
     */
    put: operations['updateRole'];
    post?: never;
    /**
     * Delete a custom role
     * @description Members and pending invitations lose it. The caller has to hold what it grants; the owner may always. A role that an API key has cannot be deleted.
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
     * @description Once per callback. An identity that is new here gets no account by its address, except one that nobody has signed in to yet, or where the installation takes the provider's word for the domain of the address: then a linked identity has to have the address, and none may be of the same provider. The person is told by mail. To link another provider, sign in first. Without a callback 401, without an account 404; 409 where another account has the verified address.
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
  '/tenants/{tenant_id}/structure': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * Get all divisions, environments and deployments in one tree
     * @description Without the divisions and environments that the caller may not see, and without deployments where `deployment:read` is lacking. Oldest first. A key that is bound to a division sees that one.
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * Count divisions, environments and deployments
     * @description Counts what the structure shows the caller.
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
  '/tenants/{tenant_id}/subscription': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * Get the tenant's subscription
     * @description Its plan's effective limits and capabilities are the `features` of the tenant.
     */
    get: operations['getSubscription'];
    /**
     * Change the plan
     * @description In force with the answer. A plan is refused that allows less than the former one of something of which the tenant has more: 409 `limit_reached`, where `exceeded` lists each such limit with `name`, `limit`, `used` and `excess`, and `limit` is the first of them. For a capability that the plan lacks, `used` counts the deployments that need it, and `limit` is 0. What only regions know of (access rules) stays as it is; no more can be added. The plan that is in force already changes nothing.
     */
    put: operations['changeSubscription'];
    post?: never;
    delete?: never;
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * Get how people come into the tenant
     * @description The e-mail domain is told when one is claimed.
     */
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * Get the tenant
     * @description With its plan's effective limits and capabilities.
     */
    get: operations['getTenant'];
    /**
     * Change the tenant
     * @description Without a field nothing changes. Codes for deletions go to `email`: only the owner changes it, at once; the former address is told, and the codes that went there are void. Anybody who may change the tenant can protect it; only its owner can lower the protection.
     */
    put: operations['updateTenant'];
    post?: never;
    /**
     * Delete the tenant
     * @description With everything in it, for good; for its owner. All deployments have to be gone, until nothing is left of them. Divisions, environments, roles, members, keys, invitations, the configuration and the audit log go with the tenant; its users stay. No key of it is accepted from the answer on. A protected tenant needs a one-time code. There is nothing yet that would have to be paid first.
     */
    delete: operations['deleteTenant'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/unsubscribe': {
    parameters: {
      query: {
        /** @description what the link has */
        token: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show whether an address is unsubscribed
     * @description A page for the reader of a mail, with one button. It changes nothing, since programs follow the links of mails as well. The link is not valid any more when its channel is deleted or has another address.
     */
    get: operations['showUnsubscribe'];
    put?: never;
    /**
     * Unsubscribe an address
     * @description No channel of the tenant sends mails to the address any more, whoever makes or changes it; a second time changes nothing. This is what `List-Unsubscribe-Post` of RFC 8058 calls, so a body of any kind is accepted and ignored.
     */
    post: operations['unsubscribe'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/upgrade': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a deployment another tier or more storage
     * @description At least one of both. Answers at once; what comes of it stands in `upgrades` of the deployment. One that fails goes back to the tier and the storage before, and the entry says why. Storage keeps its type and never shrinks. One upgrade at a time, of a deployment that is `initialized`; until it has ended, it counts in the limits of both tiers. `local_ssd` can be upgraded in a cluster alone.
     */
    post: operations['upgradeDeployment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/deployments/{deployment_id}/extend': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add nodes to a deployment
     * @description To a cluster alone, up to 5. Answers at once; they are part of the deployment from then on, and what comes of them stands in `upgrades`. One upgrade or extension at a time, of a deployment that is `initialized`.
     */
    post: operations['extendDeployment'];
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
    /** @description 1 to 100 characters in one line, without control characters and surrounding spaces */
    Name: string;
    /** @description 1 to 100 characters in one line, without control characters and surrounding spaces */
    OptionalName: string | null;
    /**
     * Format: int64
     * @description a tenant
     */
    TenantId: TenantId;
    /**
     * Format: int64
     * @description a division
     */
    DivisionId: DivisionId;
    /**
     * Format: int64
     * @description an environment
     */
    EnvironmentId: EnvironmentId;
    /**
     * Format: int64
     * @description a deployment
     */
    DeploymentId: DeploymentId;
    /**
     * Format: int64
     * @description a user
     */
    UserId: UserId;
    /**
     * Format: int64
     * @description a role of a tenant
     */
    RoleId: RoleId;
    /**
     * Format: int64
     * @description an API key
     */
    ApiKeyId: ApiKeyId;
    /**
     * Format: int64
     * @description an invitation
     */
    InvitationId: InvitationId;
    /**
     * Format: int64
     * @description a join request
     */
    JoinRequestId: JoinRequestId;
    /**
     * Format: int64
     * @description a session
     */
    SessionId: SessionId;
    /**
     * Format: int64
     * @description an identity
     */
    IdentityId: IdentityId;
    /**
     * Format: int64
     * @description a cloud account
     */
    CloudAccountId: CloudAccountId;
    /**
     * Format: int64
     * @description an instance of a connector
     */
    ConnectorInstanceId: ConnectorInstanceId;
    /**
     * Format: int64
     * @description an id
     */
    Id: number;
    /**
     * Format: date-time
     * @description a time in UTC
     * @example 2026-03-14T09:26:53.589Z
     */
    Timestamp: string;
    /** @description a tenant by its id and its name */
    NamedTenant: {
      id: components['schemas']['TenantId'];
      name: string;
    };
    /** @description a user by its id and its name */
    NamedUser: {
      id: components['schemas']['UserId'];
      name: string;
    };
    /** @description An RFC 9457 problem document. Act on `code`, show `detail`, report `instance`. */
    Problem: {
      /** @description always `about:blank` */
      type: string;
      /** @description what went wrong, in few words; the same for each `code` */
      title: string;
      /** @description the HTTP status */
      status: number;
      /** @description stable, snake_case */
      code: string;
      /** @description what went wrong, for people */
      detail: string;
      /** @description the request's id */
      instance: string;
      /** @description whether the same request can succeed later */
      retryable: boolean;
      /** @description what is wrong with which field */
      field_issues?: components['schemas']['FieldIssue'][];
      /** @description how many more there are */
      unlisted_issues?: number;
    };
    /** @description what is wrong with one field of a request */
    FieldIssue: {
      /** @description JSON pointer led by body, query or path */
      path: string;
      /** @description stable, snake_case */
      code: string;
      /** @description what is wrong, for people */
      message: string;
    };
    /**
     * @description a cloud provider
     * @enum {string}
     */
    Cloud: 'cloud_a' | 'cloud_b';
    /**
     * @description the part of the world that a region is in
     * @enum {string}
     */
    Area: 'us' | 'eu' | 'ap' | 'ca' | 'sa';
    /**
     * @description `managed` on the infrastructure of the platform, `byoc` in the cloud account of the tenant
     * @enum {string}
     */
    Variant: 'managed' | 'byoc';
    /**
     * @description the size of a deployment
     * @enum {string}
     */
    Tier: 'free' | 'small' | 'medium' | 'large' | 'xlarge' | '2xlarge' | '4xlarge' | '8xlarge' | '16xlarge';
    /**
     * @description one node, or several that replicate each other
     * @enum {string}
     */
    ClusterKind: 'standalone' | 'cluster';
    /**
     * @description a disk of the node itself, or one that the network provides
     * @enum {string}
     */
    StorageType: 'local_ssd' | 'network_balanced';
    /**
     * @description nodes in one availability zone, or in several
     * @enum {string}
     */
    AvailabilityMode: 'single_az' | 'multi_az';
    /**
     * @description How far a deployment is: it goes through the statuses from `creating` to `initialized` when it is created. Clients can connect from `initialized` on.
     * @enum {string}
     */
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
    /**
     * @description whoever is signed in
     * @example {
     *       "id": 5,
     *       "name": "Ada Lovelace",
     *       "email": "ada@acme.example",
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "limits": {
     *         "tenants": 5,
     *         "memberships": 50
     *       },
     *       "settings": {
     *         "default_tenant_id": 3,
     *         "default_division_id": null
     *       },
     *       "csrf_token": "pY0Zk3w6tVb1s9XrQm2nLc8uHf4aJd7eGi5oKxTzRvU"
     *     }
     */
    Account: {
      id: components['schemas']['UserId'];
      name: string;
      email: string;
      created_at: components['schemas']['Timestamp'];
      limits: components['schemas']['AccountLimits'];
      settings: components['schemas']['AccountSettings'];
      /** @description what writes of this session have to send as `x-csrf-token` */
      csrf_token: string;
    };
    /** @description how many tenants the user can own, and how many memberships they can have */
    AccountLimits: {
      tenants: number;
      memberships: number;
    };
    /** @description what the user works in unless they say otherwise */
    AccountSettings: {
      default_tenant_id: components['schemas']['OptionalTenantId'];
      default_division_id: components['schemas']['OptionalDivisionId'];
    };
    /**
     * @description what shall be different; what is left out stays, null clears
     * @example {
     *       "default_tenant_id": 3,
     *       "default_division_id": 12
     *     }
     */
    AccountSettingsInput: {
      default_tenant_id?: components['schemas']['OptionalTenantId'];
      default_division_id?: components['schemas']['OptionalDivisionId'];
    };
    /**
     * @description a browser in which the user is signed in
     * @example {
     *       "id": 8,
     *       "source": "example-id",
     *       "current": true,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "last_used_at": "2026-03-14T10:02:11.004Z",
     *       "expires_at": "2026-03-21T10:02:11.004Z"
     *     }
     */
    Session: {
      id: components['schemas']['SessionId'];
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
    /** @description everything that the Main API holds about a user */
    AccountExport: {
      exported_at: components['schemas']['Timestamp'];
      profile: components['schemas']['ExportedProfile'];
      identities: components['schemas']['ExportedRows'];
      sessions: components['schemas']['ExportedRows'];
      memberships: components['schemas']['ExportedRows'];
      api_keys: components['schemas']['ExportedRows'];
      invitations: components['schemas']['ExportedRows'];
      join_requests: components['schemas']['ExportedRows'];
    };
    /** @description the user themselves */
    ExportedProfile: {
      id: components['schemas']['UserId'];
      name: string;
      email: string;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      limits: components['schemas']['AccountLimits'];
      settings: components['schemas']['AccountSettings'];
    };
    /** @description what is stored, an object for each row */
    ExportedRows: {
      [key: string]: unknown;
    }[];
    /**
     * @description a new API key of a division
     * @example {
     *       "name": "deploy",
     *       "role_id": 2,
     *       "expiry_at": "2027-03-14T00:00:00Z",
     *       "validate_ip": true,
     *       "allowed_ips": [
     *         "192.0.2.0/24"
     *       ]
     *     }
     */
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
      /**
       * @description whether `allowed_ips` are all that may use it
       * @default false
       */
      validate_ip: boolean | null;
      /** @description addresses or CIDRs (IPv4 or IPv6) that the key may be used from; with `validate_ip`, and only then */
      allowed_ips?: string[] | null;
    };
    /**
     * @description a new API key
     * @example {
     *       "name": "deploy",
     *       "role_id": 2,
     *       "expiry_at": "2027-03-14T00:00:00Z",
     *       "validate_ip": true,
     *       "allowed_ips": [
     *         "192.0.2.0/24"
     *       ]
     *     }
     */
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
      /**
       * @description whether `allowed_ips` are all that may use it
       * @default false
       */
      validate_ip: boolean | null;
      /** @description addresses or CIDRs (IPv4 or IPv6) that the key may be used from; with `validate_ip`, and only then */
      allowed_ips?: string[] | null;
      division_id?: components['schemas']['OptionalDivisionId'];
    };
    /**
     * @description from where a key may be used
     * @example {
     *       "validate_ip": true,
     *       "allowed_ips": [
     *         "192.0.2.0/24",
     *         "2001:db8::1"
     *       ]
     *     }
     */
    ApiKeySecurity: {
      /** @description whether `allowed_ips` are all that may use it */
      validate_ip: boolean;
      /** @description addresses or CIDRs (IPv4 or IPv6) that the key may be used from; with `validate_ip`, and only then */
      allowed_ips?: string[] | null;
    };
    /**
     * @description how a key changes its token
     * @example {
     *       "grace_seconds": 3600
     *     }
     */
    Rotation: {
      /**
       * @description for how long the token before it works on, at most until the key expires
       * @default 0
       */
      grace_seconds: number | null;
    };
    /** @description an API key with its token, which is shown this once */
    CreatedApiKey: {
      id: components['schemas']['ApiKeyId'];
      name: string;
      /** @description what to send in `svc-api-key` */
      token: string;
      expiry_at: components['schemas']['Timestamp'];
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 21,
     *           "name": "deploy",
     *           "role_id": 2,
     *           "role_name": "developer",
     *           "user_id": 5,
     *           "division_id": null,
     *           "validate_ip": true,
     *           "allowed_ips": [
     *             "192.0.2.0/24"
     *           ],
     *           "expiry_at": "2027-03-14T00:00:00.000Z",
     *           "last_used_at": null,
     *           "created_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    ApiKeyPage: {
      items: components['schemas']['ApiKey'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description an API key, without its token
     * @example {
     *       "id": 21,
     *       "name": "deploy",
     *       "role_id": 2,
     *       "role_name": "developer",
     *       "user_id": 5,
     *       "division_id": null,
     *       "validate_ip": true,
     *       "allowed_ips": [
     *         "192.0.2.0/24"
     *       ],
     *       "expiry_at": "2027-03-14T00:00:00.000Z",
     *       "last_used_at": null,
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    ApiKey: {
      id: components['schemas']['ApiKeyId'];
      name: string;
      role_id: components['schemas']['RoleId'];
      role_name: string;
      user_id: components['schemas']['UserId'];
      /** @description the only division that the key sees */
      division_id: DivisionId | null;
      /** @description whether `allowed_ips` are all that may use it */
      validate_ip: boolean;
      /** @description addresses or CIDRs */
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
      /** @description the only division that the key sees */
      division_id: DivisionId | null;
      /** @description whether `allowed_ips` are all that may use it */
      validate_ip: boolean;
      /** @description addresses or CIDRs */
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
    /**
     * @description where deployments shall be made
     * @example {
     *       "cloud": "cloud_a",
     *       "region": "us-east-1"
     *     }
     */
    ByocSetupInput: {
      cloud: components['schemas']['Cloud'];
      region: components['schemas']['RegionKey'];
    };
    /** @description what to prepare in an account */
    ByocSetup: components['schemas']['CloudASetup'] | components['schemas']['CloudBSetup'];
    /**
     * @description a role that Sluice can assume
     * @example {
     *       "service_org_id": "604812559037",
     *       "external_id": "3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b",
     *       "trust_policy": {
     *         "Version": "2012-10-17",
     *         "Statement": [
     *           {
     *             "Sid": "Assume",
     *             "Effect": "Allow",
     *             "Principal": {
     *               "cloud_a": "arn:cloud_a:iam::604812559037:root"
     *             },
     *             "Action": [
     *               "sts:AssumeRole"
     *             ],
     *             "Condition": {
     *               "StringEquals": {
     *                 "sts:ExternalId": "3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b"
     *               }
     *             }
     *           }
     *         ]
     *       },
     *       "permissions_policy": {
     *         "Version": "2012-10-17",
     *         "Statement": [
     *           {
     *             "Sid": "Look",
     *             "Effect": "Allow",
     *             "Action": [
     *               "compute:DescribeInstances"
     *             ],
     *             "Resource": "*",
     *             "Condition": {
     *               "StringEquals": {
     *                 "cloud_a:RequestedRegion": "us-east-1"
     *               }
     *             }
     *           }
     *         ]
     *       },
     *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
     *       "steps": [
     *         {
     *           "title": "Create the role",
     *           "text": "Create a role with the trust policy."
     *         }
     *       ]
     *     }
     */
    CloudASetup: {
      /** @description the organization by which Sluice assumes the role */
      service_org_id: string;
      /** @description what Sluice shows for this tenant alone; the role has to ask for it */
      external_id: string;
      trust_policy: components['schemas']['Policy'];
      permissions_policy: components['schemas']['Policy'];
      supervisor_url: components['schemas']['SetupSupervisorUrl'];
      steps: components['schemas']['SetupSteps'];
    };
    /**
     * @description a service account that Sluice may act as
     * @example {
     *       "service_account": "tenant-3f0a5c4e6d0b4a57@sluice.iam.cloud-b.example",
     *       "roles": [
     *         "roles/compute.instanceAdmin"
     *       ],
     *       "commands": [
     *         "cloud_b iam service-accounts create sluice --project PROJECT_ID"
     *       ],
     *       "supervisor_url": "https://us-central1.supervisor.acme.example",
     *       "steps": [
     *         {
     *           "title": "Create a service account",
     *           "text": "Sluice acts as it in your project.",
     *           "command": "cloud_b iam service-accounts create sluice --project PROJECT_ID"
     *         }
     *       ]
     *     }
     */
    CloudBSetup: {
      /** @description the service account of Sluice for this tenant alone */
      service_account: string;
      /** @description what the tenant's own service account needs in its project */
      roles: string[];
      /** @description what prepares it; put the project in place of `PROJECT_ID` */
      commands: string[];
      supervisor_url: components['schemas']['SetupSupervisorUrl'];
      steps: components['schemas']['SetupSteps'];
    };
    /** @description where the Supervisor API of the region is */
    SetupSupervisorUrl: string;
    /** @description what to do, in this order */
    SetupSteps: {
      title: string;
      text: string;
      /** @description what does it on a command line */
      command?: string;
    }[];
    /** @description a policy document of the cloud, to be pasted as it is */
    Policy: {
      /** @constant */
      Version: '2012-10-17';
      Statement: {
        Sid: string;
        /** @constant */
        Effect: 'Allow';
        Principal?: {
          [key: string]: string;
        };
        Action: string[];
        /** @description what it is about */
        Resource?: string | string[];
        Condition: {
          [key: string]: {
            [key: string]: string | string[];
          };
        };
      }[];
    };
    /**
     * @description the role in an account of `cloud_a` that was prepared for Sluice. What is left out, or null, is that of the active cloud account that is saved with this `account_id`; without one it is required, except `vpc_cidr`.
     * @example {
     *       "account_id": "123456789012",
     *       "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
     *       "external_id": "3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b",
     *       "vpc_id": "vpc-0a1b2c3d",
     *       "vpc_cidr": "10.20.0.0/16"
     *     }
     */
    CloudAAccess: {
      /** @description the account, 12 digits */
      account_id: string;
      /** @description the role that Sluice assumes, one of this account */
      identity_arn?: string | null;
      /** @description the one that the setup tells */
      external_id?: string;
      /** @description the network that nodes are placed in */
      vpc_id?: string | null;
      /** @description its addresses, an IPv4 block, which the Supervisor API shows as the `cidr` of the deployment */
      vpc_cidr?: string | null;
    };
    /**
     * @description the service account in a project of `cloud_b` that was prepared for Sluice. The network that is left out, or null, is that of the active cloud account that is saved with this project; without one it is required.
     * @example {
     *       "project_id": "acme-streaming",
     *       "service_account_email": "sluice@acme-streaming.iam.cloud-b.example",
     *       "vpc_name": "default"
     *     }
     */
    CloudBAccess: {
      /** @description the project */
      project_id: string;
      /**
       * Format: email
       * @description the account that Sluice acts as
       */
      service_account_email: string;
      /** @description the network that nodes are placed in */
      vpc_name?: string | null;
    };
    /**
     * @description what the tenant thinks of the account
     * @enum {string}
     */
    CloudAccountStatus: 'active' | 'inactive' | 'locked' | 'deleted';
    /** @description the account as its provider names it. In `cloud_a` 12 digits, in `cloud_b` the id of a project (6 to 30 lowercase letters, digits and hyphens, a letter first and no hyphen last). */
    ProviderAccountId: string;
    /** @description the network's block of IPv4 addresses, such as `10.20.0.0/16`; deployments in this network show it as their `cidr` */
    OptionalVpcCidr: string | null;
    /** @description how to get into an account of `cloud_a` */
    CloudASettings: {
      /** @description the role to assume */
      identity_arn: string;
      /** @description what the role's trust policy asks for, so that it is assumed for this tenant alone */
      external_id: string;
      /** @description the network for its deployments */
      vpc_id: string;
      vpc_cidr?: components['schemas']['OptionalVpcCidr'];
    };
    /** @description how to get into a project of `cloud_b` */
    CloudBSettings: {
      /** @description the name of the network for its deployments */
      vpc_network?: string | null;
      vpc_cidr?: components['schemas']['OptionalVpcCidr'];
    };
    /** @description how to get into the account, under the key of its cloud and no other. A deployment that is created in the account takes from here what its request leaves out. */
    CloudAccountSettings: {
      cloud_a?: components['schemas']['CloudASettings'] | null;
      cloud_b?: components['schemas']['CloudBSettings'] | null;
    };
    /**
     * @description a new cloud account
     * @example {
     *       "cloud": "cloud_a",
     *       "name": "Production",
     *       "account_id": "123456789012",
     *       "region": "us-east-1",
     *       "settings": {
     *         "cloud_a": {
     *           "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
     *           "external_id": "5f0c3a52-acme",
     *           "vpc_id": "vpc-0a1b2c3d",
     *           "vpc_cidr": "10.20.0.0/16"
     *         }
     *       },
     *       "remarks": "Ask the platform team"
     *     }
     */
    CloudAccountInput: {
      cloud: components['schemas']['Cloud'];
      name: components['schemas']['Name'];
      account_id: components['schemas']['ProviderAccountId'];
      /** @description the default region; it need not be one that takes deployments now */
      region?: string | null;
      settings?: components['schemas']['CloudAccountSettings'] | null;
      /** @description a text for people */
      remarks?: string | null;
    };
    /**
     * @description what shall be different; what is left out stays
     * @example {
     *       "status": "locked",
     *       "remarks": null
     *     }
     */
    CloudAccountChanges: {
      name?: components['schemas']['OptionalName'];
      /** @description the account as its provider names it. In `cloud_a` 12 digits, in `cloud_b` the id of a project (6 to 30 lowercase letters, digits and hyphens, a letter first and no hyphen last). */
      account_id?: string | null;
      /** @description the default region; it need not be one that takes deployments now */
      region?: string | null;
      settings?: components['schemas']['CloudAccountSettings'] | null;
      /** @description a text for people */
      remarks?: string | null;
      status?: components['schemas']['CloudAccountStatus'] | null;
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 3,
     *           "cloud": "cloud_a",
     *           "name": "Production",
     *           "account_id": "123456789012",
     *           "region": "us-east-1",
     *           "status": "active",
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "updated_at": "2026-03-14T09:26:53.589Z",
     *           "validated_at": null
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    CloudAccountPage: {
      items: components['schemas']['CloudAccount'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a cloud account, as the list has it
     * @example {
     *       "id": 3,
     *       "cloud": "cloud_a",
     *       "name": "Production",
     *       "account_id": "123456789012",
     *       "region": "us-east-1",
     *       "status": "active",
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z",
     *       "validated_at": null
     *     }
     */
    CloudAccount: {
      id: components['schemas']['CloudAccountId'];
      cloud: components['schemas']['Cloud'];
      name: string;
      /** @description the account as its provider names it */
      account_id: string;
      /** @description the default region */
      region: string | null;
      status: components['schemas']['CloudAccountStatus'];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description when access to the account was last found to work
       */
      validated_at: string | null;
    };
    /**
     * @description a cloud account
     * @example {
     *       "id": 3,
     *       "cloud": "cloud_a",
     *       "name": "Production",
     *       "account_id": "123456789012",
     *       "region": "us-east-1",
     *       "status": "active",
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z",
     *       "settings": {
     *         "cloud_a": {
     *           "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
     *           "external_id": "5f0c3a52-acme",
     *           "vpc_id": "vpc-0a1b2c3d",
     *           "vpc_cidr": "10.20.0.0/16"
     *         }
     *       },
     *       "remarks": "Ask the platform team"
     *     }
     */
    CloudAccountDetail: {
      id: components['schemas']['CloudAccountId'];
      cloud: components['schemas']['Cloud'];
      name: string;
      /** @description the account as its provider names it */
      account_id: string;
      /** @description the default region */
      region: string | null;
      status: components['schemas']['CloudAccountStatus'];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      settings: components['schemas']['CloudAccountSettings'] | null;
      remarks: string | null;
    };
    /**
     * @description whether messages go from the deployment (`sink`) or to it (`source`)
     * @enum {string}
     */
    ConnectorType: 'sink' | 'source';
    /**
     * @description how far an instance is
     * @enum {string}
     */
    ConnectorStatus: 'pending' | 'active' | 'inactive' | 'failed';
    /**
     * @description an instance to be made; without `instance_name` it has the name and type of its connector
     * @example {
     *       "connector_key": "postgres",
     *       "connector_type": "sink",
     *       "instance_name": "Orders",
     *       "instance_key": "orders"
     *     }
     */
    ConnectorActivation: {
      /** @description the key of a connector of that type */
      connector_key: string;
      connector_type: components['schemas']['ConnectorType'];
      instance_name?: components['schemas']['OptionalName'];
      /** @description unique in the deployment, and what its configurations are found by; `<connector>-<type>-<id>` unless given */
      instance_key?: string | null;
    };
    /**
     * @description an instance of a connector
     * @example {
     *       "id": 9,
     *       "deployment_id": 77,
     *       "connector_type": "sink",
     *       "connector_key": "postgres",
     *       "name": "Orders",
     *       "key": "orders",
     *       "status": "pending",
     *       "status_reason": null,
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    ActivatedConnector: {
      id: components['schemas']['ConnectorInstanceId'];
      deployment_id: components['schemas']['DeploymentId'];
      connector_type: components['schemas']['ConnectorType'];
      connector_key: string;
      name: string;
      /** @description unique in the deployment */
      key: string;
      status: components['schemas']['ConnectorStatus'];
      /** @description why the status is what it is */
      status_reason: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description one page of the catalogue, in its order
     * @example {
     *       "items": [
     *         {
     *           "key": "postgres",
     *           "type": "sink",
     *           "name": "PostgreSQL",
     *           "description": "Inserts messages as rows of a table",
     *           "available": false,
     *           "permitted": true,
     *           "instances": [
     *             {
     *               "id": 9,
     *               "deployment_id": 77,
     *               "connector_type": "sink",
     *               "connector_key": "postgres",
     *               "name": "Orders",
     *               "key": "orders",
     *               "status": "pending",
     *               "status_reason": null,
     *               "created_at": "2026-03-14T09:26:53.589Z"
     *             }
     *           ]
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    ConnectorPage: {
      items: components['schemas']['Connector'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description an entry of the catalogue, as it is for one deployment
     * @example {
     *       "key": "postgres",
     *       "type": "sink",
     *       "name": "PostgreSQL",
     *       "description": "Inserts messages as rows of a table",
     *       "available": false,
     *       "permitted": true,
     *       "instances": [
     *         {
     *           "id": 9,
     *           "deployment_id": 77,
     *           "connector_type": "sink",
     *           "connector_key": "postgres",
     *           "name": "Orders",
     *           "key": "orders",
     *           "status": "pending",
     *           "status_reason": null,
     *           "created_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ]
     *     }
     */
    Connector: {
      /** @description unique among the connectors of its type */
      key: string;
      type: components['schemas']['ConnectorType'];
      name: string;
      description: string;
      /** @description whether the connectors runtime of the deployment has it; before its nodes have reported, whether those of its region have it */
      available: boolean;
      /** @description whether the caller may activate it here and the plan has it */
      permitted: boolean;
      /** @description what was activated of it, oldest first; what the region has refused is forgotten after a week */
      instances: components['schemas']['ActivatedConnector'][];
    };
    /** @description a DNS label, unique in the environment */
    DeploymentName: string;
    /** @description key of a region of the cloud */
    RegionKey: string;
    /**
     * @description a new Free-tier deployment, in the environment of `environment_id` or of `environment_name`, which are not given together; in `sandbox` without either
     * @example {
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "environment_name": "sandbox"
     *     }
     */
    StarterDeploymentInput: {
      cloud: components['schemas']['Cloud'];
      region: components['schemas']['RegionKey'];
      environment_id?: components['schemas']['OptionalEnvironmentId'];
      environment_name?: components['schemas']['OptionalName'];
      /** @description a DNS label; generated unless given */
      deployment_name?: string | null;
    };
    /**
     * @description a new deployment on the infrastructure of the platform
     * @example {
     *       "name": "orders",
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "tier": "small",
     *       "cluster": "standalone",
     *       "storage": {
     *         "type": "network_balanced",
     *         "size": 100
     *       },
     *       "retention": {
     *         "telemetry_days": 7
     *       }
     *     }
     */
    ManagedDeploymentInput: {
      name: components['schemas']['DeploymentName'];
      cloud: components['schemas']['Cloud'];
      region: components['schemas']['RegionKey'];
      tier: components['schemas']['Tier'];
      cluster: components['schemas']['ClusterKind'];
      /**
       * @description whether its deletion needs a one-time code
       * @default false
       */
      protected: boolean | null;
      /**
       * @description whether the server encrypts payloads
       * @default false
       */
      encrypted: boolean | null;
      storage?: components['schemas']['StorageInput'] | null;
      retention?: components['schemas']['RetentionInput'] | null;
      /** @description KB/s, for planning */
      target_network_tput?: number | null;
      /** @description `multi_az` needs the capability `multi_az_enabled` and a `cluster`; `single_az` unless given */
      availability_mode?: components['schemas']['AvailabilityMode'] | null;
      /**
       * @description needs the capability `dedicated_enabled`
       * @default false
       */
      dedicated: boolean | null;
      /**
       * @description whether it has a public address
       * @default true
       */
      public_ip_enabled: boolean | null;
      /** @description needs a public address; unless given there is one where it can be */
      subdomain_enabled?: boolean | null;
      /** @description US dollars a month, whole cents */
      spend_limit?: number | null;
    };
    /**
     * @description a new deployment in a cloud account of the tenant, with the object of its cloud
     * @example {
     *       "name": "orders",
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "tier": "small",
     *       "cluster": "standalone",
     *       "storage": {
     *         "type": "network_balanced",
     *         "size": 100
     *       },
     *       "retention": {
     *         "telemetry_days": 7
     *       },
     *       "cloud_a": {
     *         "account_id": "123456789012",
     *         "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
     *         "external_id": "3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b",
     *         "vpc_id": "vpc-0a1b2c3d",
     *         "vpc_cidr": "10.20.0.0/16"
     *       }
     *     }
     */
    ByocDeploymentInput: {
      name: components['schemas']['DeploymentName'];
      cloud: components['schemas']['Cloud'];
      region: components['schemas']['RegionKey'];
      tier: components['schemas']['Tier'];
      cluster: components['schemas']['ClusterKind'];
      /**
       * @description whether its deletion needs a one-time code
       * @default false
       */
      protected: boolean | null;
      /**
       * @description whether the server encrypts payloads
       * @default false
       */
      encrypted: boolean | null;
      storage?: components['schemas']['StorageInput'] | null;
      retention?: components['schemas']['RetentionInput'] | null;
      /** @description KB/s, for planning */
      target_network_tput?: number | null;
      /** @description `multi_az` needs the capability `multi_az_enabled` and a `cluster`; `single_az` unless given */
      availability_mode?: components['schemas']['AvailabilityMode'] | null;
      /**
       * @description needs the capability `dedicated_enabled`
       * @default false
       */
      dedicated: boolean | null;
      /**
       * @description whether it has a public address
       * @default true
       */
      public_ip_enabled: boolean | null;
      /** @description needs a public address; unless given there is one where it can be */
      subdomain_enabled?: boolean | null;
      /** @description US dollars a month, whole cents */
      spend_limit?: number | null;
      /** @description needed on `cloud_a`, and there alone */
      cloud_a?: components['schemas']['CloudAAccess'] | null;
      /** @description needed on `cloud_b`, and there alone */
      cloud_b?: components['schemas']['CloudBAccess'] | null;
    };
    /**
     * @description what shall be different; what is left out stays, and null clears the description
     * @example {
     *       "description": "takes the orders of all shops",
     *       "protected": true
     *     }
     */
    DeploymentChanges: {
      protected?: components['schemas']['OptionalFlag'];
      description?: components['schemas']['OptionalDescription'];
    };
    /**
     * @description what a deployment may cost in a month
     * @example {
     *       "spend_limit": 250
     *     }
     */
    SpendLimit: {
      /** @description US dollars a month, whole cents; null for no limit */
      spend_limit: number | null;
    };
    /**
     * @description for how long what a deployment tells of itself is kept
     * @example {
     *       "retention": {
     *         "telemetry_days": 30
     *       }
     *     }
     */
    RetentionChange: {
      retention: components['schemas']['Retention'];
    };
    /** @description for how long what a deployment tells of itself is kept */
    Retention: {
      /** @description for how long metrics, logs and heartbeats are kept */
      telemetry_days: number;
    };
    /** @description what a deployment stores its messages on */
    StorageInput: {
      /** @description unless given, the tier's own */
      type?: components['schemas']['StorageType'] | null;
      /** @description gigabytes, for `network_balanced` only; the tier says how much there can be */
      size?: number | null;
    };
    /** @description what a deployment stores its messages on */
    Storage: {
      type: components['schemas']['StorageType'];
      /** @description gigabytes; null for local storage */
      size: number | null;
    };
    /** @description for how long what the deployment tells of itself is kept */
    RetentionInput: {
      /** @description for how long metrics, logs and heartbeats are kept */
      telemetry_days?: number | null;
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 77,
     *           "name": "orders",
     *           "variant": "managed",
     *           "domain": "orders-k3v9.acme.example",
     *           "cloud": "cloud_a",
     *           "region": "us-east-1",
     *           "area": "us",
     *           "tier": "small",
     *           "cluster": "standalone",
     *           "nodes_count": 1,
     *           "supervisor_url": "https://us-east-1.supervisor.acme.example",
     *           "status": "initialized",
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "updated_at": "2026-03-14T09:27:40.112Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    DeploymentPage: {
      items: components['schemas']['Deployment'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a deployment
     * @example {
     *       "id": 77,
     *       "name": "orders",
     *       "variant": "managed",
     *       "domain": "orders-k3v9.acme.example",
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "area": "us",
     *       "tier": "small",
     *       "cluster": "standalone",
     *       "nodes_count": 1,
     *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
     *       "status": "initialized",
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:27:40.112Z"
     *     }
     */
    Deployment: {
      id: components['schemas']['DeploymentId'];
      name: string;
      variant: components['schemas']['Variant'];
      /** @description null without a subdomain */
      domain: string | null;
      cloud: components['schemas']['Cloud'];
      /** @description key of a region of the cloud */
      region: string;
      area: components['schemas']['Area'];
      tier: components['schemas']['Tier'];
      cluster: components['schemas']['ClusterKind'];
      nodes_count: number;
      /** @description where the Supervisor API of its region is */
      supervisor_url: string;
      status: components['schemas']['DeploymentStatus'];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a deployment with all that the Main API knows of it
     * @example {
     *       "id": 77,
     *       "name": "orders",
     *       "variant": "managed",
     *       "domain": "orders-k3v9.acme.example",
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "area": "us",
     *       "tier": "small",
     *       "cluster": "standalone",
     *       "nodes_count": 1,
     *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
     *       "status": "initialized",
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:27:40.112Z",
     *       "code": "k3v9",
     *       "protected": false,
     *       "description": null,
     *       "encrypted": false,
     *       "storage": {
     *         "type": "network_balanced",
     *         "size": 100
     *       },
     *       "retention": {
     *         "telemetry_days": 7
     *       },
     *       "target_network_tput": null,
     *       "availability_mode": "single_az",
     *       "dedicated": false,
     *       "public_ip_enabled": true,
     *       "spend_limit": null,
     *       "status_reason": null,
     *       "upgrades": []
     *     }
     */
    DeploymentDetail: {
      id: components['schemas']['DeploymentId'];
      name: string;
      variant: components['schemas']['Variant'];
      /** @description null without a subdomain */
      domain: string | null;
      cloud: components['schemas']['Cloud'];
      /** @description key of a region of the cloud */
      region: string;
      area: components['schemas']['Area'];
      tier: components['schemas']['Tier'];
      cluster: components['schemas']['ClusterKind'];
      nodes_count: number;
      /** @description where the Supervisor API of its region is */
      supervisor_url: string;
      status: components['schemas']['DeploymentStatus'];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      /** @description short and unique, also part of the domain */
      code: string;
      /** @description whether its deletion needs a one-time code */
      protected: boolean;
      description: string | null;
      /** @description whether the server encrypts payloads */
      encrypted: boolean;
      storage: components['schemas']['Storage'];
      retention: components['schemas']['Retention'];
      /** @description KB/s, for planning */
      target_network_tput: number | null;
      availability_mode: components['schemas']['AvailabilityMode'];
      /** @description whether its machines are nobody else's */
      dedicated: boolean;
      /** @description whether it has a public address */
      public_ip_enabled: boolean;
      /** @description US dollars a month; null for no limit */
      spend_limit: number | null;
      /** @description why the status is what it is */
      status_reason: string | null;
      /** @description the newest hundred, newest first */
      upgrades: components['schemas']['Upgrade'][];
    };
    /** @description the kinds of cluster to choose from */
    ClusterKinds: components['schemas']['ClusterKind'][];
    /** @description the kinds of storage to choose from */
    StorageTypes: components['schemas']['StorageType'][];
    /**
     * @description a cloud provider
     * @example {
     *       "key": "cloud_a",
     *       "name": "Cloud A"
     *     }
     */
    CloudEntry: {
      key: components['schemas']['Cloud'];
      name: string;
    };
    /**
     * @description a region that takes deployments
     * @example {
     *       "key": "us-east-1",
     *       "name": "US East",
     *       "area": "us"
     *     }
     */
    RegionEntry: {
      key: string;
      name: string;
      area: components['schemas']['Area'];
    };
    /**
     * @description a size that deployments can have
     * @example {
     *       "key": "small",
     *       "name": "Small",
     *       "instance": "c-2",
     *       "available": true,
     *       "limit": 5,
     *       "vcpus": 2,
     *       "memory_gib": 4,
     *       "clusters": [
     *         "standalone"
     *       ],
     *       "storages": [
     *         "network_balanced"
     *       ],
     *       "rate_limit": null
     *     }
     */
    TierEntry: {
      key: components['schemas']['Tier'];
      name: string;
      description?: string;
      /** @description machine type */
      instance?: string;
      /** @description whether the plan leaves room for another deployment of this tier */
      available: boolean;
      /** @description how many deployments of this tier the plan allows */
      limit: number;
      /** @description processors of a node */
      vcpus: number;
      /** @description memory of a node */
      memory_gib: number;
      clusters: components['schemas']['ClusterKinds'];
      storages: components['schemas']['StorageTypes'];
      /** @description the most that a deployment may move; null: no limit */
      rate_limit: string | null;
    };
    /** @description a kind of storage */
    StorageEntry: {
      key: components['schemas']['StorageType'];
      name: string;
      description: string;
      /** @description whether deployments can have it */
      available: boolean;
      clusters: components['schemas']['ClusterKinds'];
    };
    /** @description a kind of cluster */
    ClusterEntry: {
      key: components['schemas']['ClusterKind'];
      name: string;
      description: string;
      /** @description whether it is switched on and in the plan */
      available: boolean;
      /** @description the tiers that can have it */
      tiers: components['schemas']['Tier'][];
    };
    /**
     * @description a new division
     * @example {
     *       "name": "Payments",
     *       "description": "Whatever moves money",
     *       "email": "payments@acme.example"
     *     }
     */
    DivisionInput: {
      name: components['schemas']['Name'];
      description?: components['schemas']['OptionalDescription'];
      email?: components['schemas']['OptionalEmail'];
      /** @description labels below the tenant's `email_domain`, such as `eng`, that no other division has: its people count as the tenant's own. Whatever its case; without a domain of the tenant 400 `tenant_has_no_email_domain`. */
      email_subdomain?: string | null;
    };
    /**
     * @description what shall be different; what is left out stays, and null clears a text that can be empty
     * @example {
     *       "email": "money@acme.example",
     *       "protected": true
     *     }
     */
    DivisionChanges: {
      name?: components['schemas']['OptionalName'];
      description?: components['schemas']['OptionalDescription'];
      email?: components['schemas']['OptionalEmail'];
      /** @description labels below the tenant's `email_domain`, such as `eng`, that no other division has: its people count as the tenant's own. Whatever its case; without a domain of the tenant 400 `tenant_has_no_email_domain`. */
      email_subdomain?: string | null;
      protected?: components['schemas']['OptionalFlag'];
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 12,
     *           "name": "Payments",
     *           "description": "Whatever moves money",
     *           "email": "payments@acme.example",
     *           "email_subdomain": null,
     *           "protected": false,
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "updated_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    DivisionPage: {
      items: components['schemas']['Division'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a part of a tenant
     * @example {
     *       "id": 12,
     *       "name": "Payments",
     *       "description": "Whatever moves money",
     *       "email": "payments@acme.example",
     *       "email_subdomain": null,
     *       "protected": false,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    Division: {
      id: components['schemas']['DivisionId'];
      name: string;
      description: string | null;
      /** @description the address of whoever is responsible */
      email: string | null;
      /** @description labels below the tenant's `email_domain`, in lower case */
      email_subdomain: string | null;
      /** @description whether its deletion needs a one-time code */
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a new environment
     * @example {
     *       "name": "production",
     *       "description": "What customers see"
     *     }
     */
    EnvironmentInput: {
      name: components['schemas']['Name'];
      description?: components['schemas']['OptionalDescription'];
    };
    /**
     * @description what shall be different; what is left out stays, and null clears a text that can be empty
     * @example {
     *       "protected": true
     *     }
     */
    EnvironmentChanges: {
      name?: components['schemas']['OptionalName'];
      description?: components['schemas']['OptionalDescription'];
      protected?: components['schemas']['OptionalFlag'];
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 31,
     *           "name": "production",
     *           "description": "What customers see",
     *           "protected": false,
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "updated_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    EnvironmentPage: {
      items: components['schemas']['Environment'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a stage of a division
     * @example {
     *       "id": 31,
     *       "name": "production",
     *       "description": "What customers see",
     *       "protected": false,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    Environment: {
      id: components['schemas']['EnvironmentId'];
      name: string;
      description: string | null;
      /** @description whether its deletion needs a one-time code */
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /**
     * @description whom an identity provider knows as the user
     * @example {
     *       "id": 4,
     *       "source": "example-id",
     *       "email": "ada@acme.example",
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    Identity: {
      id: components['schemas']['IdentityId'];
      /** @description the identity provider */
      source: string;
      /** @description the address there, where the provider has verified it */
      email: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description whom to invite
     * @example {
     *       "email": "grace@acme.example",
     *       "roles": [
     *         2
     *       ]
     *     }
     */
    InvitationInput: {
      /** Format: email */
      email: string;
      roles?: components['schemas']['OptionalRoleIds'];
    };
    /**
     * @description Pending until it is answered or its time is over; `withdrawn` while whoever made it is no active member of the tenant, may not invite, or does not hold what it gives.
     * @enum {string}
     */
    InvitationStatus: 'pending' | 'accepted' | 'rejected' | 'expired' | 'withdrawn';
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 9,
     *           "email": "grace@acme.example",
     *           "status": "pending",
     *           "roles": [
     *             "developer"
     *           ],
     *           "invited_by": {
     *             "id": 5,
     *             "name": "Ada Lovelace"
     *           },
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "expires_at": "2026-03-21T09:26:53.589Z",
     *           "mail_failure": null
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    InvitationPage: {
      items: components['schemas']['Invitation'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description an invitation into the tenant
     * @example {
     *       "id": 9,
     *       "email": "grace@acme.example",
     *       "status": "pending",
     *       "roles": [
     *         "developer"
     *       ],
     *       "invited_by": {
     *         "id": 5,
     *         "name": "Ada Lovelace"
     *       },
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "expires_at": "2026-03-21T09:26:53.589Z",
     *       "mail_failure": null
     *     }
     */
    Invitation: {
      id: components['schemas']['InvitationId'];
      /** @description the address that it was mailed to */
      email: string;
      status: components['schemas']['InvitationStatus'];
      /** @description names of the roles that come with it */
      roles: string[];
      invited_by: components['schemas']['NamedUser'];
      created_at: components['schemas']['Timestamp'];
      expires_at: components['schemas']['Timestamp'];
      /** @description why its mail could not be delivered, as the mail server has said; null as long as nothing is known */
      mail_failure: string | null;
    };
    /**
     * @description an invitation of the user's address
     * @example {
     *       "id": 9,
     *       "email": "grace@acme.example",
     *       "status": "pending",
     *       "roles": [
     *         "developer"
     *       ],
     *       "invited_by": {
     *         "id": 5,
     *         "name": "Ada Lovelace"
     *       },
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "expires_at": "2026-03-21T09:26:53.589Z",
     *       "mail_failure": null,
     *       "tenant": {
     *         "id": 3,
     *         "name": "Acme"
     *       }
     *     }
     */
    OwnInvitation: {
      id: components['schemas']['InvitationId'];
      /** @description the address that it was mailed to */
      email: string;
      status: components['schemas']['InvitationStatus'];
      /** @description names of the roles that come with it */
      roles: string[];
      invited_by: components['schemas']['NamedUser'];
      created_at: components['schemas']['Timestamp'];
      expires_at: components['schemas']['Timestamp'];
      /** @description why its mail could not be delivered, as the mail server has said; null as long as nothing is known */
      mail_failure: string | null;
      tenant: components['schemas']['NamedTenant'];
    };
    /**
     * @description pending until a member decides
     * @enum {string}
     */
    JoinRequestStatus: 'pending' | 'approved' | 'rejected';
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 4,
     *           "user": {
     *             "id": 6,
     *             "name": "Grace Hopper"
     *           },
     *           "email": "grace@acme.example",
     *           "status": "pending",
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "decided_at": null
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    JoinRequestPage: {
      items: components['schemas']['JoinRequest'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description somebody who has asked to become a member
     * @example {
     *       "id": 4,
     *       "user": {
     *         "id": 6,
     *         "name": "Grace Hopper"
     *       },
     *       "email": "grace@acme.example",
     *       "status": "pending",
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "decided_at": null
     *     }
     */
    JoinRequest: {
      id: components['schemas']['JoinRequestId'];
      user: components['schemas']['NamedUser'];
      email: string;
      status: components['schemas']['JoinRequestStatus'];
      created_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description null while it is pending
       */
      decided_at: string | null;
    };
    /**
     * @description somebody who belongs to the tenant
     * @example {
     *       "id": 6,
     *       "email": "grace@acme.example",
     *       "name": "Grace Hopper",
     *       "active": true,
     *       "roles": [
     *         "developer"
     *       ],
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    Member: {
      id: components['schemas']['UserId'];
      email: string;
      name: string;
      /** @description whether the membership gives access */
      active: boolean;
      /** @description names of roles */
      roles: string[];
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 6,
     *           "email": "grace@acme.example",
     *           "name": "Grace Hopper",
     *           "active": true,
     *           "roles": [
     *             "developer"
     *           ],
     *           "created_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    MemberPage: {
      items: components['schemas']['Member'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description what shall be different; what is left out stays
     * @example {
     *       "active": true,
     *       "roles": [
     *         1,
     *         2
     *       ]
     *     }
     */
    MemberChanges: {
      active?: components['schemas']['OptionalFlag'];
      roles?: components['schemas']['OptionalRoleIds'];
    };
    /**
     * @description members of the tenant
     * @example {
     *       "members": [
     *         6,
     *         7
     *       ]
     *     }
     */
    MemberIds: {
      /** @description ids of their user accounts */
      members: UserId[];
    };
    /** @description ids of roles of the tenant */
    OptionalRoleIds: RoleId[] | null;
    /** @description the permission catalogue, by scope */
    GrantablePermissions: {
      tenant: components['schemas']['PermissionCatalogue'];
      division: components['schemas']['PermissionCatalogue'];
      environment: components['schemas']['PermissionCatalogue'];
    };
    /** @description the permissions of one scope */
    PermissionCatalogue: components['schemas']['GrantablePermission'][];
    /**
     * @description a permission with what it is about
     * @example {
     *       "key": "division:read",
     *       "name": "Read divisions",
     *       "description": "See the divisions of the tenant."
     *     }
     */
    GrantablePermission: {
      /** @description its name in roles and keys, such as `division:read` */
      key: string;
      /** @description the label that people read */
      name: string;
      description: string;
    };
    /**
     * Format: int64
     * @description a notification channel
     */
    ChannelId: ChannelId;
    /**
     * Format: int64
     * @description a subscription of a notification channel
     */
    ChannelSubscriptionId: ChannelSubscriptionId;
    /**
     * Format: int64
     * @description an entry of a channel's history
     */
    NotificationId: NotificationId;
    /**
     * @description what a channel leads to
     * @enum {string}
     */
    ChannelKind: 'chat' | 'webhook' | 'email';
    /** @description a type of event that channels are told of, as `GET /notifications/types` lists them */
    NotificationType: string;
    /**
     * @description all types of events that channels are told of
     * @example [
     *       {
     *         "type": "deployment_initialized",
     *         "name": "Deployment initialized"
     *       }
     *     ]
     */
    NotificationTypes: components['schemas']['NotificationTypeEntry'][];
    /** @description a type of event */
    NotificationTypeEntry: {
      type: string;
      /** @description a label for people */
      name: string;
    };
    /** @description 1 to 100 letters, digits, spaces within, and the characters `-`, `_`, `.`, `:` */
    ChannelName: string;
    /** @description an `https://` address, or a mail address */
    Destination: string;
    /** @description how messages look in a chat; what is left out is as the chat has it */
    ChatSettings: {
      /** @description where they are shown */
      channel?: string | null;
      /** @description who they are from */
      username?: string | null;
      /** @description what is shown beside them, such as `:bell:` */
      icon_emoji?: string | null;
    };
    /** @description how a webhook is called */
    WebhookSettings: {
      /** @description headers of each request, at most 20. Those that frame it, and those of its signature, cannot be set. */
      headers?: {
        [key: string]: string;
      } | null;
      /** @description POST, unless it is one of PUT and PATCH */
      method?: string | null;
    };
    /** @description how messages to the channel look, under the key of its kind and no other */
    ChannelSettings: {
      chat?: components['schemas']['ChatSettings'] | null;
      webhook?: components['schemas']['WebhookSettings'] | null;
    };
    /**
     * @description a new notification channel
     * @example {
     *       "channel": "webhook",
     *       "name": "On call",
     *       "destination": "https://hooks.example.com/sluice",
     *       "settings": {
     *         "webhook": {
     *           "headers": {
     *             "x-team": "platform"
     *           },
     *           "method": "POST"
     *         }
     *       },
     *       "remarks": "Ask the platform team"
     *     }
     */
    ChannelInput: {
      channel: components['schemas']['ChannelKind'];
      name: components['schemas']['ChannelName'];
      destination: components['schemas']['Destination'];
      settings?: components['schemas']['ChannelSettings'] | null;
      /** @description a text for people */
      remarks?: string | null;
    };
    /**
     * @description what shall be different; what is left out stays
     * @example {
     *       "enabled": false
     *     }
     */
    ChannelChanges: {
      /** @description 1 to 100 letters, digits, spaces within, and the characters `-`, `_`, `.`, `:` */
      name?: string | null;
      /** @description an `https://` address, or a mail address */
      destination?: string | null;
      settings?: components['schemas']['ChannelSettings'] | null;
      enabled?: components['schemas']['OptionalFlag'];
      /** @description a text for people */
      remarks?: string | null;
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 4,
     *           "owner_kind": "tenant",
     *           "owner_id": 1,
     *           "channel": "webhook",
     *           "name": "On call",
     *           "enabled": true,
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "updated_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    ChannelPage: {
      items: components['schemas']['Channel'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a notification channel, as the list has it
     * @example {
     *       "id": 4,
     *       "owner_kind": "tenant",
     *       "owner_id": 1,
     *       "channel": "webhook",
     *       "name": "On call",
     *       "enabled": true,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    Channel: {
      id: components['schemas']['ChannelId'];
      /**
       * @description whose it is
       * @enum {string}
       */
      owner_kind: 'tenant' | 'division';
      /**
       * Format: int64
       * @description the tenant or division
       */
      owner_id: number;
      channel: components['schemas']['ChannelKind'];
      name: string;
      /** @description whether it is told of anything */
      enabled: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a notification channel
     * @example {
     *       "id": 4,
     *       "owner_kind": "tenant",
     *       "owner_id": 1,
     *       "channel": "webhook",
     *       "name": "On call",
     *       "enabled": true,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z",
     *       "destination": "https://hooks.example.com/sluice",
     *       "settings": {
     *         "webhook": {
     *           "headers": {
     *             "x-team": "platform"
     *           },
     *           "method": "POST"
     *         }
     *       },
     *       "remarks": "Ask the platform team",
     *       "signing_secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
     *       "unsubscribed_at": null
     *     }
     */
    ChannelDetail: {
      id: components['schemas']['ChannelId'];
      /**
       * @description whose it is
       * @enum {string}
       */
      owner_kind: 'tenant' | 'division';
      /**
       * Format: int64
       * @description the tenant or division
       */
      owner_id: number;
      channel: components['schemas']['ChannelKind'];
      name: string;
      /** @description whether it is told of anything */
      enabled: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      /** @description an `https://` address, or a mail address */
      destination: string;
      settings: components['schemas']['ChannelSettings'];
      remarks: string | null;
      /** @description what the messages of a webhook are signed with: `webhook-signature` is `v1,` and the base64 of an HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the body, with dots between, as Standard Webhooks has it. Null for others. */
      signing_secret: string | null;
      /**
       * Format: date-time
       * @description since when nothing is sent to the mail address, which has unsubscribed from the channels of this tenant. Null for others.
       */
      unsubscribed_at: string | null;
    };
    /** @description tenants; none, all that there are */
    TenantScope: TenantId[] | null;
    /** @description divisions; none, all that there are */
    DivisionScope: DivisionId[] | null;
    /** @description environments; none, all that there are */
    EnvironmentScope: EnvironmentId[] | null;
    /** @description deployments; none, all that there are */
    DeploymentScope: DeploymentId[] | null;
    /**
     * @description of what a channel is to be told
     * @example {
     *       "message_types": [
     *         "high_disk_usage",
     *         "node_unreachable"
     *       ],
     *       "scope_division_ids": [
     *         3
     *       ]
     *     }
     */
    ChannelSubscriptionInput: {
      /** @description types of events */
      message_types: components['schemas']['NotificationType'][];
      scope_tenant_ids?: components['schemas']['TenantScope'];
      scope_division_ids?: components['schemas']['DivisionScope'];
      scope_environment_ids?: components['schemas']['EnvironmentScope'];
      scope_deployment_ids?: components['schemas']['DeploymentScope'];
    };
    /**
     * @description all that a channel is to be told of
     * @example {
     *       "subscriptions": [
     *         {
     *           "message_types": [
     *             "high_disk_usage",
     *             "node_unreachable"
     *           ],
     *           "scope_division_ids": [
     *             3
     *           ]
     *         },
     *         {
     *           "message_types": [
     *             "deployment_deleted"
     *           ]
     *         }
     *       ]
     *     }
     */
    ChannelSubscriptionInputs: {
      /** @description at most as many as the plan has */
      subscriptions: components['schemas']['ChannelSubscriptionInput'][];
    };
    /** @description a tenant that is named */
    TenantScopeRef: {
      id: components['schemas']['TenantId'];
      name: string;
    };
    /** @description a division that is named */
    DivisionScopeRef: {
      id: components['schemas']['DivisionId'];
      name: string;
    };
    /** @description an environment that is named */
    EnvironmentScopeRef: {
      id: components['schemas']['EnvironmentId'];
      name: string;
    };
    /** @description a deployment that is named */
    DeploymentScopeRef: {
      id: components['schemas']['DeploymentId'];
      name: string;
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 9,
     *           "channel_id": 4,
     *           "message_types": [
     *             "high_disk_usage",
     *             "node_unreachable"
     *           ],
     *           "scope_divisions": [
     *             {
     *               "id": 3,
     *               "name": "Payments"
     *             }
     *           ],
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "updated_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    ChannelSubscriptionPage: {
      items: components['schemas']['ChannelSubscription'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a subscription, as the list has it; a level that names nothing is left out
     * @example {
     *       "id": 9,
     *       "channel_id": 4,
     *       "message_types": [
     *         "high_disk_usage",
     *         "node_unreachable"
     *       ],
     *       "scope_divisions": [
     *         {
     *           "id": 3,
     *           "name": "Payments"
     *         }
     *       ],
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    ChannelSubscription: {
      id: components['schemas']['ChannelSubscriptionId'];
      channel_id: components['schemas']['ChannelId'];
      /** @description types of events */
      message_types: string[];
      /** @description tenants that are named */
      scope_tenants?: components['schemas']['TenantScopeRef'][];
      /** @description divisions that are named */
      scope_divisions?: components['schemas']['DivisionScopeRef'][];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a subscription
     * @example {
     *       "id": 9,
     *       "channel_id": 4,
     *       "message_types": [
     *         "high_disk_usage",
     *         "node_unreachable"
     *       ],
     *       "scope_divisions": [
     *         {
     *           "id": 3,
     *           "name": "Payments"
     *         }
     *       ],
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z",
     *       "scope_tenants": [],
     *       "scope_environments": [],
     *       "scope_deployments": []
     *     }
     */
    ChannelSubscriptionDetail: {
      id: components['schemas']['ChannelSubscriptionId'];
      channel_id: components['schemas']['ChannelId'];
      /** @description types of events */
      message_types: string[];
      /** @description tenants that are named */
      scope_tenants: components['schemas']['TenantScopeRef'][];
      /** @description divisions that are named */
      scope_divisions: components['schemas']['DivisionScopeRef'][];
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      /** @description environments that are named */
      scope_environments: components['schemas']['EnvironmentScopeRef'][];
      /** @description deployments that are named */
      scope_deployments: components['schemas']['DeploymentScopeRef'][];
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 12,
     *           "tenant_id": 1,
     *           "division_id": 3,
     *           "environment_id": 5,
     *           "deployment_id": 7,
     *           "message_type": "high_disk_usage",
     *           "content": "High disk usage: orders\n\nThe disk of a node is almost full.",
     *           "status": "delivered",
     *           "attempts": 1,
     *           "reason": null,
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "delivered_at": "2026-03-14T09:26:53.789Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    NotificationPage: {
      items: components['schemas']['Notification'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description what a channel was told, or is to be told
     * @example {
     *       "id": 12,
     *       "tenant_id": 1,
     *       "division_id": 3,
     *       "environment_id": 5,
     *       "deployment_id": 7,
     *       "message_type": "high_disk_usage",
     *       "content": "High disk usage: orders\n\nThe disk of a node is almost full.",
     *       "status": "delivered",
     *       "attempts": 1,
     *       "reason": null,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "delivered_at": "2026-03-14T09:26:53.789Z"
     *     }
     */
    Notification: {
      id: components['schemas']['NotificationId'];
      tenant_id: components['schemas']['TenantId'];
      /** Format: int64 */
      division_id: DivisionId | null;
      /** Format: int64 */
      environment_id: EnvironmentId | null;
      /** Format: int64 */
      deployment_id: DeploymentId | null;
      /** @description the type of the event */
      message_type: string;
      /** @description subject and text */
      content: string;
      /** @enum {string} */
      status: 'pending' | 'delivered' | 'failed' | 'throttled';
      attempts: number;
      /** @description why it was not delivered or not at the last attempt */
      reason: string | null;
      created_at: components['schemas']['Timestamp'];
      /** Format: date-time */
      delivered_at: string | null;
    };
    /** @description a text for people */
    OptionalDescription: string | null;
    /**
     * Format: email
     * @description an e-mail address
     */
    OptionalEmail: string | null;
    /** @description a switch */
    OptionalFlag: boolean | null;
    /** @description a tenant */
    OptionalTenantId: TenantId | null;
    /** @description a division */
    OptionalDivisionId: DivisionId | null;
    /** @description an environment */
    OptionalEnvironmentId: EnvironmentId | null;
    /** @description a deployment */
    OptionalDeploymentId: DeploymentId | null;
    /**
     * @description a new tenant
     * @example {
     *       "name": "Acme",
     *       "email": "it@acme.example",
     *       "division": "Payments"
     *     }
     */
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
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 3,
     *           "name": "Acme",
     *           "description": null,
     *           "email": "it@acme.example",
     *           "owner": true,
     *           "active": true,
     *           "has_custom_email_domain": true,
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "updated_at": "2026-03-14T09:26:53.589Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    OwnTenantPage: {
      items: components['schemas']['OwnTenant'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a tenant, as one of its members sees it
     * @example {
     *       "id": 3,
     *       "name": "Acme",
     *       "description": null,
     *       "email": "it@acme.example",
     *       "owner": true,
     *       "active": true,
     *       "has_custom_email_domain": true,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "updated_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    OwnTenant: {
      id: components['schemas']['TenantId'];
      name: string;
      description: string | null;
      /** @description the contact address */
      email: string;
      /** @description whether the user owns it */
      owner: boolean;
      /** @description whether the membership is active */
      active: boolean;
      /** @description whether an e-mail domain is claimed for it */
      has_custom_email_domain: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a deployment that there could be
     * @example {
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "tier": "small",
     *       "storage": {
     *         "type": "network_balanced",
     *         "size": 100
     *       },
     *       "nodes": 1
     *     }
     */
    PreviewInput: {
      cloud: components['schemas']['Cloud'];
      region: components['schemas']['RegionKey'];
      tier: components['schemas']['Tier'];
      storage?: components['schemas']['StorageInput'] | null;
      /** @description KB/s, taken to be moved all the month; unless given, what is usual for the tier */
      target_network_tput?: number | null;
      /** @description `multi_az` raises the price of what is moved and needs two nodes; `single_az` unless given */
      availability_mode?: components['schemas']['AvailabilityMode'] | null;
      /**
       * @description whether the brokers encrypt what they store
       * @default false
       */
      encrypted: boolean | null;
      /**
       * @description whether the machines are the tenant's alone
       * @default false
       */
      dedicated: boolean | null;
      /**
       * @description whether the brokers have public addresses
       * @default true
       */
      public_ip_enabled: boolean | null;
      /**
       * @description how many nodes
       * @default 3
       */
      nodes: number | null;
      /**
       * @description days for which metrics, logs and heartbeats are kept beyond the installation's default
       * @default 0
       */
      telemetry_extra_days: number | null;
    };
    /** @description US dollars, with two digits behind the point */
    Dollars: string;
    /**
     * @description what a deployment would cost in a month
     * @example {
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "tier": "small",
     *       "nodes": 1,
     *       "instance": "a-general-2x2",
     *       "monthly_total_usd": "58.31",
     *       "breakdown": {
     *         "compute_usd": "30.08",
     *         "storage_usd": "9.50",
     *         "network_usd": "16.43",
     *         "telemetry_usd": "0.00",
     *         "data_retention_usd": "2.30"
     *       }
     *     }
     */
    CostPreview: {
      cloud: components['schemas']['Cloud'];
      region: components['schemas']['RegionKey'];
      tier: components['schemas']['Tier'];
      nodes: number;
      /** @description machine type */
      instance: string;
      monthly_total_usd: components['schemas']['Dollars'];
      breakdown: components['schemas']['CostBreakdown'];
    };
    /** @description the parts of a price */
    CostBreakdown: {
      compute_usd: components['schemas']['Dollars'];
      storage_usd: components['schemas']['Dollars'];
      network_usd: components['schemas']['Dollars'];
      telemetry_usd: components['schemas']['Dollars'];
      data_retention_usd: components['schemas']['Dollars'];
    };
    /**
     * @description what the code shall be for
     * @example {
     *       "action": {
     *         "action_type": "delete_division",
     *         "payload": {
     *           "tenant_id": 3,
     *           "division_id": 12
     *         }
     *       }
     *     }
     */
    ProtectionCodeRequest: {
      action: components['schemas']['ProtectedAction'];
    };
    /** @description What shall be deleted. The payload has exactly the ids that lead to it: `tenant_id` for `delete_tenant`, also `division_id` for `delete_division`, also `environment_id` for `delete_environment`, and all four for `delete_deployment`. Ids that do not belong together, or to the tenant of the path, are 400. */
    ProtectedAction: {
      /** @enum {string} */
      action_type: 'delete_tenant' | 'delete_division' | 'delete_environment' | 'delete_deployment';
      payload: components['schemas']['ProtectedResource'];
    };
    /** @description the ids that lead to a resource */
    ProtectedResource: {
      tenant_id: TenantId;
      division_id?: components['schemas']['OptionalDivisionId'];
      environment_id?: components['schemas']['OptionalEnvironmentId'];
      deployment_id?: components['schemas']['OptionalDeploymentId'];
    };
    /**
     * @description a new custom role
     * @example {
     *       "name": "operator",
     *       "permissions": {
     *         "tenant": [
     *           "info:read"
     *         ],
     *         "environment": [
     *           "deployment:manage",
     *           "deployment:access:manage"
     *         ],
     *         "divisions": {
     *           "12": {
     *             "environments": {
     *               "31": [
     *                 "deployment:read"
     *               ]
     *             }
     *           }
     *         }
     *       }
     *     }
     */
    RoleInput: {
      name: components['schemas']['Name'];
      permissions: components['schemas']['PermissionsInput'];
    };
    /**
     * @description what shall be different; what is left out stays
     * @example {
     *       "name": "operator",
     *       "permissions": {
     *         "tenant": [
     *           "info:read"
     *         ],
     *         "environment": [
     *           "deployment:manage",
     *           "deployment:access:manage"
     *         ],
     *         "divisions": {
     *           "12": {
     *             "environments": {
     *               "31": [
     *                 "deployment:read"
     *               ]
     *             }
     *           }
     *         }
     *       }
     *     }
     */
    RoleChanges: {
      name?: components['schemas']['OptionalName'];
      permissions?: components['schemas']['PermissionsInput'] | null;
    };
    /**
     * @description `system` roles come with the tenant and cannot be changed
     * @enum {string}
     */
    RoleKind: 'system' | 'custom';
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 2,
     *           "name": "developer",
     *           "kind": "system"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    RolePage: {
      items: components['schemas']['Role'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description a role of the tenant
     * @example {
     *       "id": 2,
     *       "name": "developer",
     *       "kind": "system"
     *     }
     */
    Role: {
      id: components['schemas']['RoleId'];
      name: string;
      kind: components['schemas']['RoleKind'];
    };
    /** @description a role with what it grants */
    RoleDetail: {
      id: components['schemas']['RoleId'];
      name: string;
      kind: components['schemas']['RoleKind'];
      permissions: components['schemas']['PermissionsDetail'];
    };
    /** @description names of the permission catalogue */
    PermissionNames: string[];
    /** @description Written out: a permission to manage comes with the one to read, and an override shows what it inherits. Overrides of divisions and environments that are gone are left out. A system role shows its environment grants for each division that the caller may see. It can be sent back as it is. */
    PermissionsDetail: {
      tenant: components['schemas']['PermissionNames'];
      division: components['schemas']['PermissionNames'];
      environment: components['schemas']['PermissionNames'];
      /** @description overrides, by division id */
      divisions: {
        [key: string]: components['schemas']['DivisionOverride'];
      };
    };
    /** @description what a role grants in one division */
    DivisionOverride: {
      /** @description of the division; null when the caller may not see it */
      name: string | null;
      permissions: components['schemas']['PermissionNames'];
      environment: components['schemas']['PermissionNames'];
      /** @description overrides, by environment id */
      environments: {
        [key: string]: components['schemas']['EnvironmentOverride'];
      };
    };
    /** @description what a role grants in one environment */
    EnvironmentOverride: {
      /** @description of the environment; null when the caller may not see it */
      name: string | null;
      permissions: components['schemas']['PermissionNames'];
    };
    /** @description What a role grants, as names from the permission catalogue. An override replaces the defaults for one division or environment: a field that it leaves out, or that is null, inherits, an empty array grants nothing. What a role is shown with is accepted too; the names of divisions and environments say nothing. Keys are ids of divisions and environments of the tenant; any other is 400. */
    PermissionsInput: {
      tenant?: components['schemas']['PermissionNamesInput'];
      division?: components['schemas']['PermissionNamesInput'];
      environment?: components['schemas']['PermissionNamesInput'];
      /** @description overrides, by division id */
      divisions?: {
        [key: string]: components['schemas']['DivisionOverrideInput'];
      } | null;
    };
    /** @description what a role shall grant in one division */
    DivisionOverrideInput: {
      /** @description passed over */
      name?: string | null;
      permissions?: components['schemas']['PermissionNamesInput'];
      environment?: components['schemas']['PermissionNamesInput'];
      /** @description overrides, by environment id */
      environments?: {
        [key: string]: string[] | components['schemas']['EnvironmentOverrideInput'];
      } | null;
    };
    /** @description what a role shall grant in one environment; an array of permissions says the same */
    EnvironmentOverrideInput: {
      /** @description passed over */
      name?: string | null;
      permissions: string[];
    };
    /** @description names of the permission catalogue */
    PermissionNamesInput: string[] | null;
    /**
     * @description by whom to be vouched for
     * @example {
     *       "source": "example-id"
     *     }
     */
    SignInBeginning: {
      /** @description an identity provider */
      source: string;
    };
    /**
     * @description where to send the browser
     * @example {
     *       "url": "https://id.acme.example/authorize?client_id=sluice&state=7d1f"
     *     }
     */
    SignInAddress: {
      /** Format: uri */
      url: string;
    };
    /**
     * @description whom the provider vouches for, and what to do next
     * @example {
     *       "next": "sign_up",
     *       "name": "Ada Lovelace",
     *       "email": "ada@acme.example",
     *       "email_verified": true
     *     }
     */
    PendingSignIn: {
      /**
       * @description `sign_up` when there is no account of this identity yet; `link` when somebody who is signed in began it
       * @enum {string}
       */
      next: 'sign_in' | 'sign_up' | 'link';
      name: string | null;
      email: string | null;
      /** @description whether the provider says so */
      email_verified: boolean;
    };
    /**
     * @description a new account
     * @example {
     *       "name": "Ada Lovelace",
     *       "tenant": {
     *         "name": "Acme",
     *         "email": "it@acme.example"
     *       }
     *     }
     */
    SignUpInput: {
      name: components['schemas']['Name'];
      /** @description a tenant to found; not together with `invitation` */
      tenant?: components['schemas']['TenantInput'] | null;
      /** @description the id of an invitation to accept */
      invitation?: InvitationId | null;
    };
    /**
     * @description the tenant with its divisions
     * @example {
     *       "id": 3,
     *       "name": "Acme",
     *       "divisions": [
     *         {
     *           "id": 12,
     *           "name": "Payments",
     *           "environments": [
     *             {
     *               "id": 31,
     *               "name": "production",
     *               "deployments": [
     *                 {
     *                   "id": 77,
     *                   "name": "orders",
     *                   "cloud": "cloud_a",
     *                   "region": "us-east-1",
     *                   "variant": "managed",
     *                   "tier": "small",
     *                   "supervisor_url": "https://us-east-1.cloud-a.sluice.example"
     *                 }
     *               ]
     *             }
     *           ]
     *         }
     *       ]
     *     }
     */
    Structure: {
      id: components['schemas']['TenantId'];
      name: string;
      divisions: components['schemas']['StructureDivision'][];
    };
    /** @description a division with its environments */
    StructureDivision: {
      id: components['schemas']['DivisionId'];
      name: string;
      environments: components['schemas']['StructureEnvironment'][];
    };
    /** @description an environment with its deployments */
    StructureEnvironment: {
      id: components['schemas']['EnvironmentId'];
      name: string;
      deployments: components['schemas']['StructureDeployment'][];
    };
    /** @description a deployment with what leads to it */
    StructureDeployment: {
      id: components['schemas']['DeploymentId'];
      name: string;
      cloud: components['schemas']['Cloud'];
      region: string;
      variant: components['schemas']['Variant'];
      tier: components['schemas']['Tier'];
      /** @description where the Supervisor API of its region is */
      supervisor_url: string;
    };
    /**
     * @description how many there are of what the caller may see
     * @example {
     *       "total_divisions": 2,
     *       "total_environments": 5,
     *       "total_deployments": 7
     *     }
     */
    TenantSummary: {
      total_divisions: number;
      total_environments: number;
      total_deployments: number;
    };
    /**
     * @description the plan that shall be in force
     * @example {
     *       "plan": "enterprise"
     *     }
     */
    SubscriptionInput: {
      plan: components['schemas']['Plan'];
    };
    /**
     * @description What becomes of somebody who signs up with an address of the tenant's domain: they wait to be invited, become a member with the role viewer, or make a request that a member decides.
     * @enum {string}
     */
    JoinPolicy: 'invite_only' | 'open' | 'request_to_join';
    /**
     * @description how people shall come into the tenant
     * @example {
     *       "join_policy": "request_to_join",
     *       "block_external_invitations": false,
     *       "enforce_domain_only_invitations": true
     *     }
     */
    TenantConfigInput: {
      join_policy: components['schemas']['JoinPolicy'];
      /** @description whether other tenants are kept from inviting people of this tenant's domain */
      block_external_invitations: boolean;
      /** @description whether this tenant can invite people of its own domain only */
      enforce_domain_only_invitations: boolean;
    };
    /**
     * @description how people come into the tenant
     * @example {
     *       "join_policy": "request_to_join",
     *       "block_external_invitations": false,
     *       "enforce_domain_only_invitations": true,
     *       "email_domain": "acme.example",
     *       "email_domain_verified_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
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
    /**
     * @description what shall be different; what is left out stays, and null clears a text that can be empty
     * @example {
     *       "email": "it@acme.example",
     *       "protected": true
     *     }
     */
    TenantChanges: {
      name?: components['schemas']['OptionalName'];
      description?: components['schemas']['OptionalDescription'];
      email?: components['schemas']['OptionalEmail'];
      protected?: components['schemas']['OptionalFlag'];
    };
    /** @description an organization */
    Tenant: {
      id: components['schemas']['TenantId'];
      name: string;
      description: string | null;
      /** @description the contact address */
      email: string;
      /** @description whether its deletion needs a one-time code */
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
      features: components['schemas']['Features'];
      subscription: components['schemas']['Subscription'];
      /** @description whether another Free-tier deployment can be created */
      starter_available: boolean;
      /** @description whether there is a valid card or invoice agreement */
      has_payment_method: boolean;
      /** @description whether an e-mail domain is claimed for it */
      has_custom_email_domain: boolean;
    };
    /** @description The plan's limits and capabilities, with what was agreed for this tenant in place of the plan's values. */
    Features: {
      /** @description invitations whose seven days are not over */
      invitations_limit: number;
      /** @description members */
      members_limit: number;
      /** @description custom roles */
      roles_limit: number;
      /** @description divisions */
      divisions_limit: number;
      /** @description environments in the tenant */
      environments_limit: number;
      /** @description access rules of a deployment */
      deployment_access_rules_limit: number;
      /** @description configurations of a deployment */
      deployment_configs_limit: number;
      /** @description backups of a deployment */
      deployment_backups_limit: number;
      /** @description diagnostic snapshots of a deployment */
      deployment_snapshots_limit: number;
      /** @description private connections */
      private_connections_limit: number;
      /** @description private endpoints */
      private_endpoints_limit: number;
      /** @description days for which audit entries are kept */
      audit_retention_days: number;
      /** @description API keys that have not expired */
      api_keys_limit: number;
      /** @description cloud accounts */
      cloud_accounts_limit: number;
      /** @description notification channels */
      notification_channels_limit: number;
      /** @description subscriptions of a notification channel */
      notification_subscriptions_limit: number;
      /** @description custom domains */
      custom_domains_limit: number;
      /** @description regions that backups are copied to */
      backup_regions_limit: number;
      /** @description nodes of a deployment */
      nodes_per_deployment_limit: number;
      /** @description days for which backups are kept */
      backup_retention_days: number;
      /** @description days for which diagnostic snapshots are kept */
      snapshot_retention_days: number;
      /** @description invitations that wait for an answer */
      pending_invitations_limit: number;
      /** @description addresses that an API key may be used from */
      api_key_allowed_ips_limit: number;
      /** @description overrides in a role */
      divisions_per_role_limit: number;
      /** @description environments of a division */
      environments_per_division_limit: number;
      /** @description deployments at the same time */
      concurrent_deployments_limit: number;
      /** @description whether there can be deployments in the own cloud account */
      byoc_enabled: boolean;
      /** @description whether there can be deployments with several nodes */
      cluster_enabled: boolean;
      /** @description whether there can be deployments on own machines */
      on_premise_enabled: boolean;
      /** @description whether there can be private networks */
      private_networking_enabled: boolean;
      /** @description whether there can be deployments in several availability zones */
      multi_az_enabled: boolean;
      /** @description whether there can be deployments on machines of their own */
      dedicated_enabled: boolean;
      /** @description whether there can be backups */
      backup_enabled: boolean;
      /** @description whether there can be recovery in another region */
      cross_region_dr_enabled: boolean;
      /** @description whether there can be exports of the audit log */
      audit_export_enabled: boolean;
      /** @description whether there can be advanced connectors */
      advanced_connectors_enabled: boolean;
      /** @description whether there can be keys that the customer manages */
      customer_managed_keys_enabled: boolean;
      /** @description whether there can be advanced notification channels */
      advanced_notification_channels_enabled: boolean;
      deployment_tiers: components['schemas']['TierLimit'][];
    };
    /** @description how many deployments of a tier there can be */
    TierLimit: {
      tier: components['schemas']['Tier'];
      /** @description the most at the same time */
      limit: number;
    };
    /**
     * @description what the tenant has subscribed to
     * @enum {string}
     */
    Plan: 'basic' | 'pro' | 'enterprise';
    /** @description Renews every month; `valid_from` and `valid_to` are the ends of the present month. */
    Subscription: {
      id: components['schemas']['Id'];
      plan: components['schemas']['Plan'];
      /** @description whether it is in force */
      active: boolean;
      created_at: components['schemas']['Timestamp'];
      valid_from: components['schemas']['Timestamp'];
      valid_to: components['schemas']['Timestamp'];
    };
    /**
     * @description what a deployment shall have; what is left out stays
     * @example {
     *       "tier": "large",
     *       "storage": {
     *         "size": 200
     *       }
     *     }
     */
    UpgradeInput: {
      tier?: components['schemas']['Tier'] | null;
      storage?: components['schemas']['StorageInput'] | null;
    };
    /**
     * @description the nodes to add
     * @example {
     *       "nodes": [
     *         {
     *           "count": 2
     *         }
     *       ]
     *     }
     */
    ExtensionInput: {
      nodes: {
        /** @description how many */
        count: number;
      }[];
    };
    /**
     * @description an upgrade in the history of a deployment
     * @example {
     *       "from_tier": "small",
     *       "to_tier": "large",
     *       "from_storage": {
     *         "type": "network_balanced",
     *         "size": 100
     *       },
     *       "to_storage": {
     *         "type": "network_balanced",
     *         "size": 200
     *       },
     *       "nodes_before": 1,
     *       "nodes_after": 1,
     *       "status": "completed",
     *       "reason": null,
     *       "requested_at": "2026-03-14T09:26:53.589Z",
     *       "upgraded_at": "2026-03-14T09:27:40.112Z"
     *     }
     */
    Upgrade: {
      from_tier: components['schemas']['Tier'];
      to_tier: components['schemas']['Tier'];
      from_storage: components['schemas']['Storage'];
      to_storage: components['schemas']['Storage'];
      nodes_before: number;
      nodes_after: number;
      /**
       * @description `pending` until the region has begun with it; the last three are final
       * @enum {string}
       */
      status: 'pending' | 'in_progress' | 'completed' | 'rolled_back' | 'failed';
      /** @description why it was rolled back or failed */
      reason: string | null;
      requested_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description when it was completed; null for one that was not
       */
      upgraded_at: string | null;
    };
    /** @description A problem of status 400. */
    BadRequestProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter';
    };
    /** @description A problem of status 401. */
    UnauthorizedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unauthenticated' | 'credential_frozen';
    };
    /** @description A problem of status 403. */
    ForbiddenSessionProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'session_required';
    };
    /** @description A problem of status 429. */
    RateLimitedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited';
    };
    /** @description A problem of status 500. */
    InternalProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'internal';
    };
    /** @description A problem of status 503. */
    UnavailableProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unavailable' | 'database_busy' | 'tenant_busy';
    };
    /** @description A problem of status 504. */
    DeadlineExceededProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'deadline_exceeded';
    };
    /** @description A problem of status 400. */
    BadRequestBodyProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json'
        | 'malformed_request';
    };
    /** @description A problem of status 403. */
    ForbiddenSessionWriteProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'session_required' | 'csrf_token_invalid';
    };
    /** @description A problem of status 408. */
    RequestTimeoutProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'request_timeout';
    };
    /** @description A problem of status 413. */
    PayloadTooLargeProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'payload_too_large';
    };
    /** @description A problem of status 415. */
    UnsupportedMediaTypeProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unsupported_media_type';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter' | 'malformed_request' | 'malformed_id';
    };
    /** @description A problem of status 404. */
    NotFoundProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'not_found';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdBodyProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceWritePrivilegeEscalationProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid' | 'privilege_escalation';
    };
    /** @description A problem of status 409. */
    ConflictNameTakenLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'name_taken'
        | 'limit_reached';
    };
    /** @description A problem of status 409. */
    ConflictLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'limit_reached';
    };
    /** @description A problem of status 409. */
    ConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'idempotency_key_reused' | 'idempotent_request_in_progress' | 'idempotent_answer_lost';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceWriteFeatureNotAvailableProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid' | 'feature_not_available';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdBodyClusterNotAvailableProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json'
        | 'cluster_not_available';
    };
    /** @description A problem of status 409. */
    ConflictStateConflictNameTakenLimitReachedPaymentMethodRequiredProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'state_conflict'
        | 'name_taken'
        | 'limit_reached'
        | 'payment_method_required';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceWriteProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid';
    };
    /** @description A problem of status 409. */
    ConflictNameTakenProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        'idempotency_key_reused' | 'idempotent_request_in_progress' | 'idempotent_answer_lost' | 'name_taken';
    };
    /** @description A problem of status 409. */
    ConflictConnectorNotAvailableNameTakenLimitReachedStateConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'connector_not_available'
        | 'name_taken'
        | 'limit_reached'
        | 'state_conflict';
    };
    /** @description A problem of status 409. */
    ConflictNameTakenLimitReachedPaymentMethodRequiredProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'name_taken'
        | 'limit_reached'
        | 'payment_method_required';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceWriteOwnerOnlyProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid' | 'owner_only';
    };
    /** @description A problem of status 409. */
    ConflictStateConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'state_conflict';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdProtectionCodeRequiredProtectionCodeInvalidProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'protection_code_required'
        | 'protection_code_invalid';
    };
    /** @description A problem of status 429. */
    TooManyRequestsProtectionLockedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited' | 'protection_locked';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdBodyTenantHasNoEmailDomainProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json'
        | 'tenant_has_no_email_domain';
    };
    /** @description A problem of status 409. */
    ConflictContainsProtectedHasDeploymentsProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'contains_protected' | 'has_deployments';
    };
    /** @description A problem of status 409. */
    AccountExistsProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'account_exists';
    };
    /** @description A problem of status 409. */
    ConflictStateConflictAccountExistsProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'state_conflict' | 'account_exists';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdBodyAlreadyMemberAlreadyInvitedOutsideEmailDomainEmailDomainLockedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json'
        | 'already_member'
        | 'already_invited'
        | 'outside_email_domain'
        | 'email_domain_locked';
    };
    /** @description A problem of status 429. */
    TooManyRequestsTooManyMailsProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited' | 'too_many_mails';
    };
    /** @description A problem of status 409. */
    StateConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'state_conflict';
    };
    /** @description A problem of status 409. */
    ConflictStateConflictLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'state_conflict'
        | 'limit_reached';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdBodyMemberIsOwnerMemberIsSelfProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json'
        | 'member_is_owner'
        | 'member_is_self';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdMemberIsOwnerMemberIsSelfProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'malformed_id'
        | 'member_is_owner'
        | 'member_is_self';
    };
    /** @description A problem of status 403. */
    IpNotAllowedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed';
    };
    /** @description A problem of status 429. */
    TooManyRequestsChannelTestThrottledProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited' | 'channel_test_throttled';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdAlreadyMemberProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        'invalid_request' | 'unknown_parameter' | 'malformed_request' | 'malformed_id' | 'already_member';
    };
    /** @description A problem of status 410. */
    Status410InvitationExpiredInvitationWithdrawnProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invitation_expired' | 'invitation_withdrawn';
    };
    /** @description A problem of status 410. */
    InvitationExpiredProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invitation_expired';
    };
    /** @description A problem of status 409. */
    ConflictLimitReachedDomainClaimedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'limit_reached' | 'domain_claimed';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdOwnerCannotLeaveProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        'invalid_request' | 'unknown_parameter' | 'malformed_request' | 'malformed_id' | 'owner_cannot_leave';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceSessionWriteProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'session_required' | 'csrf_token_invalid';
    };
    /** @description A problem of status 429. */
    TooManyRequestsProtectionCodeThrottledProtectionLockedTooManyMailsProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'rate_limited' | 'protection_code_throttled' | 'protection_locked' | 'too_many_mails';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceWriteSystemRolePrivilegeEscalationProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid' | 'system_role' | 'privilege_escalation';
    };
    /** @description A problem of status 409. */
    RoleInUseProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'role_in_use';
    };
    /** @description A problem of status 400. */
    BadRequestLenientSignInFailedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'sign_in_failed';
    };
    /** @description A problem of status 401. */
    UnauthenticatedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unauthenticated';
    };
    /** @description A problem of status 403. */
    EmailNotVerifiedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'email_not_verified';
    };
    /** @description A problem of status 409. */
    ConflictAccountExistsStateConflictDomainClaimedLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'account_exists' | 'state_conflict' | 'domain_claimed' | 'limit_reached';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceOwnerWriteProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'owner_only' | 'csrf_token_invalid';
    };
    /** @description A problem of status 403. */
    LinkInvalidProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'link_invalid';
    };
    /** @description A problem of status 409. */
    ConflictUpgradeRequiresClusterOperationInProgressStateConflictLimitReachedPaymentMethodRequiredProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'upgrade_requires_cluster'
        | 'operation_in_progress'
        | 'state_conflict'
        | 'limit_reached'
        | 'payment_method_required';
    };
    /** @description A problem of status 409. */
    ConflictExtendRequiresClusterOperationInProgressStateConflictLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'extend_requires_cluster'
        | 'operation_in_progress'
        | 'state_conflict'
        | 'limit_reached';
    };
  };
  responses: {
    /** @description Any other problem */
    Problem: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     */
    BadRequest: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestProblem'];
      };
    };
    /**
     * @description `unauthenticated`: The svc-api-key header is missing or its key is not valid.
     *
     *     `credential_frozen`: The key or session is frozen after a restore until the operator has decided about it.
     */
    Unauthorized: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnauthorizedProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `session_required`: This is for people who are signed in; an API key cannot do it.
     */
    ForbiddenSession: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenSessionProblem'];
      };
    };
    /** @description `rate_limited`: Too many requests; try again later. */
    RateLimited: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['RateLimitedProblem'];
      };
    };
    /** @description `internal`: Something unexpected went wrong. The request id identifies it in the logs. */
    Internal: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['InternalProblem'];
      };
    };
    /**
     * @description `unavailable`: The service cannot answer right now; try again shortly.
     *
     *     `database_busy`: The database had no time for this; nothing was changed. Try again shortly.
     *
     *     `tenant_busy`: Too many changes of this tenant wait for each other; nothing was changed. Try again shortly.
     */
    Unavailable: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnavailableProblem'];
      };
    };
    /** @description `deadline_exceeded`: The request took too long and was given up. It may have had its effect: read the resource, or send the request again with the same Idempotency-Key. */
    DeadlineExceeded: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['DeadlineExceededProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     *
     *     `malformed_request`: The request could not be read.
     */
    BadRequestBody: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestBodyProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `session_required`: This is for people who are signed in; an API key cannot do it.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     */
    ForbiddenSessionWrite: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenSessionWriteProblem'];
      };
    };
    /** @description `request_timeout`: The request did not arrive in time. */
    RequestTimeout: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['RequestTimeoutProblem'];
      };
    };
    /** @description `payload_too_large`: The body is larger than this operation takes. */
    PayloadTooLarge: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['PayloadTooLargeProblem'];
      };
    };
    /** @description `unsupported_media_type`: The body has to be JSON: send Content-Type: application/json. */
    UnsupportedMediaType: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     */
    BadRequestPathId: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdProblem'];
      };
    };
    /** @description `not_found`: There is no such resource. */
    NotFound: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['NotFoundProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     */
    ForbiddenPlace: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     */
    BadRequestPathIdBody: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     *
     *     `privilege_escalation`: Nobody can grant or take away permissions that they do not hold.
     */
    ForbiddenPlaceWritePrivilegeEscalation: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceWritePrivilegeEscalationProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `name_taken`: Another resource already has this name.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictNameTakenLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictNameTakenLimitReachedProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictLimitReachedProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     */
    Conflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     *
     *     `feature_not_available`: The tenant's plan does not have this feature.
     */
    ForbiddenPlaceWriteFeatureNotAvailable: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceWriteFeatureNotAvailableProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     *
     *     `cluster_not_available`: Cluster mode is not available on this installation.
     */
    BadRequestPathIdBodyClusterNotAvailable: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyClusterNotAvailableProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `name_taken`: Another resource already has this name.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     *
     *     `payment_method_required`: The tenant has no valid payment method; only the tier free needs none.
     */
    ConflictStateConflictNameTakenLimitReachedPaymentMethodRequired: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictStateConflictNameTakenLimitReachedPaymentMethodRequiredProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     */
    ForbiddenPlaceWrite: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceWriteProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `name_taken`: Another resource already has this name.
     */
    ConflictNameTaken: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictNameTakenProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `connector_not_available`: The connectors runtime of the deployment does not have this connector.
     *
     *     `name_taken`: Another resource already has this name.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     */
    ConflictConnectorNotAvailableNameTakenLimitReachedStateConflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictConnectorNotAvailableNameTakenLimitReachedStateConflictProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `name_taken`: Another resource already has this name.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     *
     *     `payment_method_required`: The tenant has no valid payment method; only the tier free needs none.
     */
    ConflictNameTakenLimitReachedPaymentMethodRequired: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictNameTakenLimitReachedPaymentMethodRequiredProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     *
     *     `owner_only`: Only the owner of the tenant may do this.
     */
    ForbiddenPlaceWriteOwnerOnly: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceWriteOwnerOnlyProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     */
    ConflictStateConflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictStateConflictProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `protection_code_required`: The resource is protected; deleting it needs a one-time code.
     *
     *     `protection_code_invalid`: The one-time code is wrong, used or too old.
     */
    BadRequestPathIdProtectionCodeRequiredProtectionCodeInvalid: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdProtectionCodeRequiredProtectionCodeInvalidProblem'];
      };
    };
    /**
     * @description `rate_limited`: Too many requests; try again later.
     *
     *     `protection_locked`: Too many wrong one-time codes were given; try again later.
     */
    TooManyRequestsProtectionLocked: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['TooManyRequestsProtectionLockedProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     *
     *     `tenant_has_no_email_domain`: The lock flags need a claimed e-mail domain.
     */
    BadRequestPathIdBodyTenantHasNoEmailDomain: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyTenantHasNoEmailDomainProblem'];
      };
    };
    /**
     * @description `contains_protected`: Something in the resource is protected; lower its protection first.
     *
     *     `has_deployments`: Delete the deployments first.
     */
    ConflictContainsProtectedHasDeployments: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictContainsProtectedHasDeploymentsProblem'];
      };
    };
    /** @description `account_exists`: There is an account of this identity or e-mail address already. */
    AccountExists: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['AccountExistsProblem'];
      };
    };
    /**
     * @description `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `account_exists`: There is an account of this identity or e-mail address already.
     */
    ConflictStateConflictAccountExists: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictStateConflictAccountExistsProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     *
     *     `already_member`: Somebody with this e-mail address is a member of the tenant.
     *
     *     `already_invited`: An invitation to this e-mail address is waiting for its answer.
     *
     *     `outside_email_domain`: The tenant invites only people of its own e-mail domain.
     *
     *     `email_domain_locked`: The tenant that this e-mail domain belongs to lets nobody else invite its people.
     */
    BadRequestPathIdBodyAlreadyMemberAlreadyInvitedOutsideEmailDomainEmailDomainLocked: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyAlreadyMemberAlreadyInvitedOutsideEmailDomainEmailDomainLockedProblem'];
      };
    };
    /**
     * @description `rate_limited`: Too many requests; try again later.
     *
     *     `too_many_mails`: So many mails were sent to this address, or by this tenant, that no more can be sent for now.
     */
    TooManyRequestsTooManyMails: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['TooManyRequestsTooManyMailsProblem'];
      };
    };
    /** @description `state_conflict`: The resource is in a state that does not allow this. */
    StateConflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['StateConflictProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictStateConflictLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictStateConflictLimitReachedProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     *
     *     `member_is_owner`: Nobody changes or removes the tenant's owner.
     *
     *     `member_is_self`: Nobody changes or removes themselves; a membership is left at the account.
     */
    BadRequestPathIdBodyMemberIsOwnerMemberIsSelf: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyMemberIsOwnerMemberIsSelfProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `member_is_owner`: Nobody changes or removes the tenant's owner.
     *
     *     `member_is_self`: Nobody changes or removes themselves; a membership is left at the account.
     */
    BadRequestPathIdMemberIsOwnerMemberIsSelf: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdMemberIsOwnerMemberIsSelfProblem'];
      };
    };
    /** @description `ip_not_allowed`: The key may not be used from this address. */
    IpNotAllowed: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['IpNotAllowedProblem'];
      };
    };
    /**
     * @description `rate_limited`: Too many requests; try again later.
     *
     *     `channel_test_throttled`: A channel can be tested once in ten seconds.
     */
    TooManyRequestsChannelTestThrottled: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['TooManyRequestsChannelTestThrottledProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `already_member`: Somebody with this e-mail address is a member of the tenant.
     */
    BadRequestPathIdAlreadyMember: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdAlreadyMemberProblem'];
      };
    };
    /**
     * @description `invitation_expired`: The invitation was not accepted in time; ask for another one.
     *
     *     `invitation_withdrawn`: Whoever made the invitation may not give any more what it gives; ask for another one.
     */
    Status410InvitationExpiredInvitationWithdrawn: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Status410InvitationExpiredInvitationWithdrawnProblem'];
      };
    };
    /** @description `invitation_expired`: The invitation was not accepted in time; ask for another one. */
    InvitationExpired: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['InvitationExpiredProblem'];
      };
    };
    /**
     * @description `limit_reached`: A limit of the tenant's plan is reached.
     *
     *     `domain_claimed`: Another tenant has claimed the domain of this e-mail address.
     */
    ConflictLimitReachedDomainClaimed: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictLimitReachedDomainClaimedProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `malformed_id`: An id in the path is not written as digits alone, up to 2^63-1.
     *
     *     `owner_cannot_leave`: The owner of a tenant cannot leave it.
     */
    BadRequestPathIdOwnerCannotLeave: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdOwnerCannotLeaveProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `session_required`: This is for people who are signed in; an API key cannot do it.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     */
    ForbiddenPlaceSessionWrite: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceSessionWriteProblem'];
      };
    };
    /**
     * @description `rate_limited`: Too many requests; try again later.
     *
     *     `protection_code_throttled`: A one-time code for this was sent a moment ago; try again later.
     *
     *     `protection_locked`: Too many wrong one-time codes were given; try again later.
     *
     *     `too_many_mails`: So many mails were sent to this address, or by this tenant, that no more can be sent for now.
     */
    TooManyRequestsProtectionCodeThrottledProtectionLockedTooManyMails: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['TooManyRequestsProtectionCodeThrottledProtectionLockedTooManyMailsProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     *
     *     `system_role`: System roles cannot be changed or deleted.
     *
     *     `privilege_escalation`: Nobody can grant or take away permissions that they do not hold.
     */
    ForbiddenPlaceWriteSystemRolePrivilegeEscalation: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceWriteSystemRolePrivilegeEscalationProblem'];
      };
    };
    /** @description `role_in_use`: An API key has this role; delete the key first. */
    RoleInUse: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['RoleInUseProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `sign_in_failed`: The identity provider did not vouch for anybody, or the sign-in was begun elsewhere. Begin again.
     */
    BadRequestLenientSignInFailed: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestLenientSignInFailedProblem'];
      };
    };
    /** @description `unauthenticated`: The svc-api-key header is missing or its key is not valid. */
    Unauthenticated: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnauthenticatedProblem'];
      };
    };
    /** @description `email_not_verified`: The identity provider does not say that the e-mail address is verified. */
    EmailNotVerified: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['EmailNotVerifiedProblem'];
      };
    };
    /**
     * @description `account_exists`: There is an account of this identity or e-mail address already.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `domain_claimed`: Another tenant has claimed the domain of this e-mail address.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictAccountExistsStateConflictDomainClaimedLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictAccountExistsStateConflictDomainClaimedLimitReachedProblem'];
      };
    };
    /**
     * @description `ip_not_allowed`: The key may not be used from this address.
     *
     *     `forbidden`: The key is valid but lacks the permission for this operation.
     *
     *     `owner_only`: Only the owner of the tenant may do this.
     *
     *     `csrf_token_invalid`: A write of a session needs the x-csrf-token header with the token that GET /account tells.
     */
    ForbiddenPlaceOwnerWrite: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ForbiddenPlaceOwnerWriteProblem'];
      };
    };
    /** @description `link_invalid`: The link is not valid, or its time is over. Ask for another one. */
    LinkInvalid: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['LinkInvalidProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `upgrade_requires_cluster`: What stands on local storage cannot be upgraded on a single node.
     *
     *     `operation_in_progress`: Another operation of this kind is going on; wait for its end.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     *
     *     `payment_method_required`: The tenant has no valid payment method; only the tier free needs none.
     */
    ConflictUpgradeRequiresClusterOperationInProgressStateConflictLimitReachedPaymentMethodRequired: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictUpgradeRequiresClusterOperationInProgressStateConflictLimitReachedPaymentMethodRequiredProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `extend_requires_cluster`: Only a cluster can have further nodes; the deployment is standalone.
     *
     *     `operation_in_progress`: Another operation of this kind is going on; wait for its end.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictExtendRequiresClusterOperationInProgressStateConflictLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictExtendRequiresClusterOperationInProgressStateConflictLimitReachedProblem'];
      };
    };
  };
  parameters: {
    /** @description the page, counted from 1; a page past the end is empty */
    Page: number;
    /** @description entries per page */
    Results: number;
    /** @description the tenant */
    TenantId: components['schemas']['TenantId'];
    /** @description a division of the tenant */
    DivisionId: components['schemas']['DivisionId'];
    /** @description an environment of the division */
    EnvironmentId: components['schemas']['EnvironmentId'];
    /** @description the deployment */
    DeploymentId: components['schemas']['DeploymentId'];
    /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
    IdempotencyKey: string;
    /** @description a session of the user */
    SessionId: components['schemas']['SessionId'];
    /** @description an API key */
    ApiKeyId: components['schemas']['ApiKeyId'];
    /** @description only those whose name contains this, whatever its case */
    NameContains: string;
    /** @description a cloud account of the tenant */
    CloudAccountId: components['schemas']['CloudAccountId'];
    /** @description key of a cloud provider; one that does not exist is 404 */
    PathCloud: string;
    /** @description key of a region of the cloud */
    PathRegion: string;
    /** @description an identity of the user */
    IdentityId: components['schemas']['IdentityId'];
    /** @description an invitation */
    InvitationId: components['schemas']['InvitationId'];
    /** @description a join request of the tenant */
    JoinRequestId: components['schemas']['JoinRequestId'];
    /** @description a member of the tenant, by the id of their user account */
    MemberId: components['schemas']['UserId'];
    /** @description a notification channel of this owner */
    ChannelId: components['schemas']['ChannelId'];
    /** @description a subscription of the channel */
    SubscriptionId: components['schemas']['ChannelSubscriptionId'];
    /** @description only those of this kind */
    ChannelKind: components['schemas']['ChannelKind'];
    /** @description only those that are for this type of event */
    MessageType: components['schemas']['NotificationType'];
    /** @description only what is about this type of event, or `channel_test` for test messages */
    HistoryType: string;
    /** @description the one-time code, needed when the resource is protected */
    ProtectionCode: string;
    /** @description a role of the tenant */
    RoleId: components['schemas']['RoleId'];
  };
  requestBodies: never;
  headers: {
    /** @description the id of the request, by which logs and the audit log know it */
    'svc-request': string;
    /** @description how many requests the caller can make at once after a quiet time */
    'RateLimit-Limit': number;
    /** @description how many of these are left */
    'RateLimit-Remaining': number;
    /** @description in how many seconds all of them are there again */
    'RateLimit-Reset': number;
    /** @description how many seconds to wait */
    'Retry-After': number;
    /** @description present when this is the answer to an earlier request with the same `Idempotency-Key` */
    'idempotent-replayed': 'true';
    /** @description the path of the new resource */
    Location: string;
    /** @description RFC 8288 links to the first, previous, next and last page */
    Link: string;
    /** @description the id of the channel */
    'svc-channel': components['schemas']['ChannelId'];
    /** @description the id of the subscription */
    'svc-subscription': components['schemas']['ChannelSubscriptionId'];
    /** @description the id of the tenant */
    'svc-tenant': components['schemas']['TenantId'];
    /** @description the id of the division */
    'svc-division': components['schemas']['DivisionId'];
    /** @description the id of the environment */
    'svc-environment': components['schemas']['EnvironmentId'];
    /** @description the id of the deployment */
    'svc-deployment': components['schemas']['DeploymentId'];
    /** @description the id of the role */
    'svc-role': components['schemas']['RoleId'];
    /** @description the id of the invitation */
    'svc-invitation': components['schemas']['InvitationId'];
    /** @description the id of the API key */
    'svc-api-key': components['schemas']['ApiKeyId'];
    /** @description the id of the cloud account */
    'svc-cloud-account': components['schemas']['CloudAccountId'];
    /** @description the id of the instance */
    'svc-connector-instance': components['schemas']['ConnectorInstanceId'];
    /** @description the id of the identity */
    'svc-identity': components['schemas']['IdentityId'];
    /** @description the id of the user */
    'svc-account': components['schemas']['UserId'];
    /** @description the cookie of the attempt or the session; HttpOnly, SameSite=Lax */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 5,
           *       "name": "Ada Lovelace",
           *       "email": "ada@acme.example",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "limits": {
           *         "tenants": 5,
           *         "memberships": 50
           *       },
           *       "settings": {
           *         "default_tenant_id": 3,
           *         "default_division_id": null
           *       },
           *       "csrf_token": "pY0Zk3w6tVb1s9XrQm2nLc8uHf4aJd7eGi5oKxTzRvU"
           *     }
           */
          'application/json': components['schemas']['Account'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSession'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "default_tenant_id": 3,
         *       "default_division_id": 12
         *     }
         */
        'application/json': components['schemas']['AccountSettingsInput'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "id": 8,
           *         "source": "example-id",
           *         "current": true,
           *         "created_at": "2026-03-14T09:26:53.589Z",
           *         "last_used_at": "2026-03-14T10:02:11.004Z",
           *         "expires_at": "2026-03-21T10:02:11.004Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Session'][];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSession'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description a session of the user */
        session_id: components['parameters']['SessionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description ended */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
      /** @description the user's data */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountExport'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSession'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 21,
           *           "name": "deploy",
           *           "role_id": 2,
           *           "role_name": "developer",
           *           "user_id": 5,
           *           "division_id": null,
           *           "validate_ip": true,
           *           "allowed_ips": [
           *             "192.0.2.0/24"
           *           ],
           *           "expiry_at": "2027-03-14T00:00:00.000Z",
           *           "last_used_at": null,
           *           "created_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ApiKeyPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "deploy",
         *       "role_id": 2,
         *       "expiry_at": "2027-03-14T00:00:00Z",
         *       "validate_ip": true,
         *       "allowed_ips": [
         *         "192.0.2.0/24"
         *       ]
         *     }
         */
        'application/json': components['schemas']['ApiKeyInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['svc-api-key'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getApiKeyContext: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the calling key */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the API key */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateApiKeySecurity: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "validate_ip": true,
         *       "allowed_ips": [
         *         "192.0.2.0/24",
         *         "2001:db8::1"
         *       ]
         *     }
         */
        'application/json': components['schemas']['ApiKeySecurity'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  rotateApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody?: {
      content: {
        /**
         * @example {
         *       "grace_seconds": 3600
         *     }
         */
        'application/json': components['schemas']['Rotation'];
      };
    };
    responses: {
      /** @description the key with its new token */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['svc-api-key'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 21,
           *           "name": "deploy",
           *           "role_id": 2,
           *           "role_name": "developer",
           *           "user_id": 5,
           *           "division_id": null,
           *           "validate_ip": true,
           *           "allowed_ips": [
           *             "192.0.2.0/24"
           *           ],
           *           "expiry_at": "2027-03-14T00:00:00.000Z",
           *           "last_used_at": null,
           *           "created_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ApiKeyPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createDivisionApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "deploy",
         *       "role_id": 2,
         *       "expiry_at": "2027-03-14T00:00:00Z",
         *       "validate_ip": true,
         *       "allowed_ips": [
         *         "192.0.2.0/24"
         *       ]
         *     }
         */
        'application/json': components['schemas']['DivisionApiKeyInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['svc-api-key'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getDivisionApiKeyContext: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the calling key */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getDivisionApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the API key */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteDivisionApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateDivisionApiKeySecurity: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "validate_ip": true,
         *       "allowed_ips": [
         *         "192.0.2.0/24",
         *         "2001:db8::1"
         *       ]
         *     }
         */
        'application/json': components['schemas']['ApiKeySecurity'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  rotateDivisionApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an API key */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody?: {
      content: {
        /**
         * @example {
         *       "grace_seconds": 3600
         *     }
         */
        'application/json': components['schemas']['Rotation'];
      };
    };
    responses: {
      /** @description the key with its new token */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-api-key': components['headers']['svc-api-key'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  setUpByoc: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "cloud": "cloud_a",
         *       "region": "us-east-1"
         *     }
         */
        'application/json': components['schemas']['ByocSetupInput'];
      };
    };
    responses: {
      /** @description what to prepare */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ByocSetup'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createByocDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "orders",
         *       "cloud": "cloud_a",
         *       "region": "us-east-1",
         *       "tier": "small",
         *       "cluster": "standalone",
         *       "storage": {
         *         "type": "network_balanced",
         *         "size": 100
         *       },
         *       "retention": {
         *         "telemetry_days": 7
         *       },
         *       "cloud_a": {
         *         "account_id": "123456789012",
         *         "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
         *         "external_id": "3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b",
         *         "vpc_id": "vpc-0a1b2c3d",
         *         "vpc_cidr": "10.20.0.0/16"
         *       }
         *     }
         */
        'application/json': components['schemas']['ByocDeploymentInput'];
      };
    };
    responses: {
      /** @description accepted; `status` tells how far it is */
      202: {
        headers: {
          Location: components['headers']['Location'];
          'svc-environment': components['headers']['svc-environment'];
          'svc-deployment': components['headers']['svc-deployment'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 77,
           *       "name": "orders",
           *       "variant": "managed",
           *       "domain": "orders-k3v9.acme.example",
           *       "cloud": "cloud_a",
           *       "region": "us-east-1",
           *       "area": "us",
           *       "tier": "small",
           *       "cluster": "standalone",
           *       "nodes_count": 1,
           *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
           *       "status": "initialized",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:27:40.112Z",
           *       "code": "k3v9",
           *       "protected": false,
           *       "description": null,
           *       "encrypted": false,
           *       "storage": {
           *         "type": "network_balanced",
           *         "size": 100
           *       },
           *       "retention": {
           *         "telemetry_days": 7
           *       },
           *       "target_network_tput": null,
           *       "availability_mode": "single_az",
           *       "dedicated": false,
           *       "public_ip_enabled": true,
           *       "spend_limit": null,
           *       "status_reason": null,
           *       "upgrades": []
           *     }
           */
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBodyClusterNotAvailable'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictStateConflictNameTakenLimitReachedPaymentMethodRequired'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listCloudAccounts: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those whose name contains this, whatever its case */
        name?: components['parameters']['NameContains'];
        /** @description only those of this cloud */
        cloud?: components['schemas']['Cloud'];
        /** @description only those whose default region contains this, whatever its case */
        region?: string;
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of cloud accounts */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 3,
           *           "cloud": "cloud_a",
           *           "name": "Production",
           *           "account_id": "123456789012",
           *           "region": "us-east-1",
           *           "status": "active",
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z",
           *           "validated_at": null
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['CloudAccountPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createCloudAccount: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "cloud": "cloud_a",
         *       "name": "Production",
         *       "account_id": "123456789012",
         *       "region": "us-east-1",
         *       "settings": {
         *         "cloud_a": {
         *           "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
         *           "external_id": "5f0c3a52-acme",
         *           "vpc_id": "vpc-0a1b2c3d",
         *           "vpc_cidr": "10.20.0.0/16"
         *         }
         *       },
         *       "remarks": "Ask the platform team"
         *     }
         */
        'application/json': components['schemas']['CloudAccountInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-cloud-account': components['headers']['svc-cloud-account'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 3,
           *       "cloud": "cloud_a",
           *       "name": "Production",
           *       "account_id": "123456789012",
           *       "region": "us-east-1",
           *       "status": "active",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "settings": {
           *         "cloud_a": {
           *           "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
           *           "external_id": "5f0c3a52-acme",
           *           "vpc_id": "vpc-0a1b2c3d",
           *           "vpc_cidr": "10.20.0.0/16"
           *         }
           *       },
           *       "remarks": "Ask the platform team"
           *     }
           */
          'application/json': components['schemas']['CloudAccountDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getCloudAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a cloud account of the tenant */
        cloud_account_id: components['parameters']['CloudAccountId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the cloud account */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 3,
           *       "cloud": "cloud_a",
           *       "name": "Production",
           *       "account_id": "123456789012",
           *       "region": "us-east-1",
           *       "status": "active",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "settings": {
           *         "cloud_a": {
           *           "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
           *           "external_id": "5f0c3a52-acme",
           *           "vpc_id": "vpc-0a1b2c3d",
           *           "vpc_cidr": "10.20.0.0/16"
           *         }
           *       },
           *       "remarks": "Ask the platform team"
           *     }
           */
          'application/json': components['schemas']['CloudAccountDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateCloudAccount: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a cloud account of the tenant */
        cloud_account_id: components['parameters']['CloudAccountId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "locked",
         *       "remarks": null
         *     }
         */
        'application/json': components['schemas']['CloudAccountChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTaken'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteCloudAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a cloud account of the tenant */
        cloud_account_id: components['parameters']['CloudAccountId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listConnectors: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those of this type */
        type?: components['schemas']['ConnectorType'];
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of the catalogue */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "key": "postgres",
           *           "type": "sink",
           *           "name": "PostgreSQL",
           *           "description": "Inserts messages as rows of a table",
           *           "available": false,
           *           "permitted": true,
           *           "instances": [
           *             {
           *               "id": 9,
           *               "deployment_id": 77,
           *               "connector_type": "sink",
           *               "connector_key": "postgres",
           *               "name": "Orders",
           *               "key": "orders",
           *               "status": "pending",
           *               "status_reason": null,
           *               "created_at": "2026-03-14T09:26:53.589Z"
           *             }
           *           ]
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ConnectorPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  activateConnector: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "connector_key": "postgres",
         *       "connector_type": "sink",
         *       "instance_name": "Orders",
         *       "instance_key": "orders"
         *     }
         */
        'application/json': components['schemas']['ConnectorActivation'];
      };
    };
    responses: {
      /** @description accepted; `status` of the instance tells how far it is */
      202: {
        headers: {
          Location: components['headers']['Location'];
          'svc-connector-instance': components['headers']['svc-connector-instance'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 9,
           *       "deployment_id": 77,
           *       "connector_type": "sink",
           *       "connector_key": "postgres",
           *       "name": "Orders",
           *       "key": "orders",
           *       "status": "pending",
           *       "status_reason": null,
           *       "created_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['ActivatedConnector'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictConnectorNotAvailableNameTakenLimitReachedStateConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createStarterDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "cloud": "cloud_a",
         *       "region": "us-east-1",
         *       "environment_name": "sandbox"
         *     }
         */
        'application/json': components['schemas']['StarterDeploymentInput'];
      };
    };
    responses: {
      /** @description accepted; `status` tells how far it is */
      202: {
        headers: {
          Location: components['headers']['Location'];
          'svc-environment': components['headers']['svc-environment'];
          'svc-deployment': components['headers']['svc-deployment'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 77,
           *       "name": "orders",
           *       "variant": "managed",
           *       "domain": "orders-k3v9.acme.example",
           *       "cloud": "cloud_a",
           *       "region": "us-east-1",
           *       "area": "us",
           *       "tier": "small",
           *       "cluster": "standalone",
           *       "nodes_count": 1,
           *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
           *       "status": "initialized",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:27:40.112Z",
           *       "code": "k3v9",
           *       "protected": false,
           *       "description": null,
           *       "encrypted": false,
           *       "storage": {
           *         "type": "network_balanced",
           *         "size": 100
           *       },
           *       "retention": {
           *         "telemetry_days": 7
           *       },
           *       "target_network_tput": null,
           *       "availability_mode": "single_az",
           *       "dedicated": false,
           *       "public_ip_enabled": true,
           *       "spend_limit": null,
           *       "status_reason": null,
           *       "upgrades": []
           *     }
           */
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createManagedDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "orders",
         *       "cloud": "cloud_a",
         *       "region": "us-east-1",
         *       "tier": "small",
         *       "cluster": "standalone",
         *       "storage": {
         *         "type": "network_balanced",
         *         "size": 100
         *       },
         *       "retention": {
         *         "telemetry_days": 7
         *       }
         *     }
         */
        'application/json': components['schemas']['ManagedDeploymentInput'];
      };
    };
    responses: {
      /** @description accepted; `status` tells how far it is */
      202: {
        headers: {
          Location: components['headers']['Location'];
          'svc-environment': components['headers']['svc-environment'];
          'svc-deployment': components['headers']['svc-deployment'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 77,
           *       "name": "orders",
           *       "variant": "managed",
           *       "domain": "orders-k3v9.acme.example",
           *       "cloud": "cloud_a",
           *       "region": "us-east-1",
           *       "area": "us",
           *       "tier": "small",
           *       "cluster": "standalone",
           *       "nodes_count": 1,
           *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
           *       "status": "initialized",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:27:40.112Z",
           *       "code": "k3v9",
           *       "protected": false,
           *       "description": null,
           *       "encrypted": false,
           *       "storage": {
           *         "type": "network_balanced",
           *         "size": 100
           *       },
           *       "retention": {
           *         "telemetry_days": 7
           *       },
           *       "target_network_tput": null,
           *       "availability_mode": "single_az",
           *       "dedicated": false,
           *       "public_ip_enabled": true,
           *       "spend_limit": null,
           *       "status_reason": null,
           *       "upgrades": []
           *     }
           */
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBodyClusterNotAvailable'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReachedPaymentMethodRequired'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 77,
           *           "name": "orders",
           *           "variant": "managed",
           *           "domain": "orders-k3v9.acme.example",
           *           "cloud": "cloud_a",
           *           "region": "us-east-1",
           *           "area": "us",
           *           "tier": "small",
           *           "cluster": "standalone",
           *           "nodes_count": 1,
           *           "supervisor_url": "https://us-east-1.supervisor.acme.example",
           *           "status": "initialized",
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:27:40.112Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['DeploymentPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getDeployment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the deployment */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 77,
           *       "name": "orders",
           *       "variant": "managed",
           *       "domain": "orders-k3v9.acme.example",
           *       "cloud": "cloud_a",
           *       "region": "us-east-1",
           *       "area": "us",
           *       "tier": "small",
           *       "cluster": "standalone",
           *       "nodes_count": 1,
           *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
           *       "status": "initialized",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:27:40.112Z",
           *       "code": "k3v9",
           *       "protected": false,
           *       "description": null,
           *       "encrypted": false,
           *       "storage": {
           *         "type": "network_balanced",
           *         "size": 100
           *       },
           *       "retention": {
           *         "telemetry_days": 7
           *       },
           *       "target_network_tput": null,
           *       "availability_mode": "single_az",
           *       "dedicated": false,
           *       "public_ip_enabled": true,
           *       "spend_limit": null,
           *       "status_reason": null,
           *       "upgrades": []
           *     }
           */
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "description": "takes the orders of all shops",
         *       "protected": true
         *     }
         */
        'application/json': components['schemas']['DeploymentChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteOwnerOnly'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictStateConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description accepted */
      202: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdProtectionCodeRequiredProtectionCodeInvalid'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequestsProtectionLocked'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  setSpendLimit: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "spend_limit": 250
         *     }
         */
        'application/json': components['schemas']['SpendLimit'];
      };
    };
    responses: {
      /** @description the limit as it is now */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "spend_limit": 250
           *     }
           */
          'application/json': components['schemas']['SpendLimit'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictStateConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  setRetention: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "retention": {
         *         "telemetry_days": 30
         *       }
         *     }
         */
        'application/json': components['schemas']['RetentionChange'];
      };
    };
    responses: {
      /** @description the retention as it is now */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "retention": {
           *         "telemetry_days": 30
           *       }
           *     }
           */
          'application/json': components['schemas']['RetentionChange'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictStateConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listClouds: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "key": "cloud_a",
           *         "name": "Cloud A"
           *       }
           *     ]
           */
          'application/json': components['schemas']['CloudEntry'][];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listRegions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "key": "us-east-1",
           *         "name": "US East",
           *         "area": "us"
           *       }
           *     ]
           */
          'application/json': components['schemas']['RegionEntry'][];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listTiers: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
        /** @description key of a region of the cloud */
        region: components['parameters']['PathRegion'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "key": "small",
           *         "name": "Small",
           *         "instance": "c-2",
           *         "available": true,
           *         "limit": 5,
           *         "vcpus": 2,
           *         "memory_gib": 4,
           *         "clusters": [
           *           "standalone"
           *         ],
           *         "storages": [
           *           "network_balanced"
           *         ],
           *         "rate_limit": null
           *       }
           *     ]
           */
          'application/json': components['schemas']['TierEntry'][];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listStorages: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
        /** @description key of a region of the cloud */
        region: components['parameters']['PathRegion'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageEntry'][];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listClusters: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description key of a cloud provider; one that does not exist is 404 */
        cloud: components['parameters']['PathCloud'];
        /** @description key of a region of the cloud */
        region: components['parameters']['PathRegion'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all of them */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ClusterEntry'][];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 12,
           *           "name": "Payments",
           *           "description": "Whatever moves money",
           *           "email": "payments@acme.example",
           *           "email_subdomain": null,
           *           "protected": false,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['DivisionPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createDivision: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Payments",
         *       "description": "Whatever moves money",
         *       "email": "payments@acme.example"
         *     }
         */
        'application/json': components['schemas']['DivisionInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-division': components['headers']['svc-division'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 12,
           *       "name": "Payments",
           *       "description": "Whatever moves money",
           *       "email": "payments@acme.example",
           *       "email_subdomain": null,
           *       "protected": false,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Division'];
        };
      };
      400: components['responses']['BadRequestPathIdBodyTenantHasNoEmailDomain'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getDivision: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the division */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 12,
           *       "name": "Payments",
           *       "description": "Whatever moves money",
           *       "email": "payments@acme.example",
           *       "email_subdomain": null,
           *       "protected": false,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Division'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateDivision: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "money@acme.example",
         *       "protected": true
         *     }
         */
        'application/json': components['schemas']['DivisionChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBodyTenantHasNoEmailDomain'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteOwnerOnly'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTaken'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdProtectionCodeRequiredProtectionCodeInvalid'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictContainsProtectedHasDeployments'];
      429: components['responses']['TooManyRequestsProtectionLocked'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 31,
           *           "name": "production",
           *           "description": "What customers see",
           *           "protected": false,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['EnvironmentPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createEnvironment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "production",
         *       "description": "What customers see"
         *     }
         */
        'application/json': components['schemas']['EnvironmentInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-environment': components['headers']['svc-environment'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 31,
           *       "name": "production",
           *       "description": "What customers see",
           *       "protected": false,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Environment'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getEnvironment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the environment */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 31,
           *       "name": "production",
           *       "description": "What customers see",
           *       "protected": false,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Environment'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateEnvironment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "protected": true
         *     }
         */
        'application/json': components['schemas']['EnvironmentChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteOwnerOnly'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTaken'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdProtectionCodeRequiredProtectionCodeInvalid'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictContainsProtectedHasDeployments'];
      429: components['responses']['TooManyRequestsProtectionLocked'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listIdentities: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the identities */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "id": 4,
           *         "source": "example-id",
           *         "email": "ada@acme.example",
           *         "created_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Identity'][];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSession'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  linkIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the identity; its provider signs the user in from now on */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'Set-Cookie': components['headers']['SetCookie'];
          'svc-identity': components['headers']['svc-identity'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 4,
           *       "source": "example-id",
           *       "email": "ada@acme.example",
           *       "created_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Identity'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      409: components['responses']['AccountExists'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  beginLink: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "source": "example-id"
         *     }
         */
        'application/json': components['schemas']['SignInBeginning'];
      };
    };
    responses: {
      /** @description where to send the browser */
      200: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "url": "https://id.acme.example/authorize?client_id=sluice&state=7d1f"
           *     }
           */
          'application/json': components['schemas']['SignInAddress'];
        };
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description an identity of the user */
        identity_id: components['parameters']['IdentityId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description unlinked */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictStateConflictAccountExists'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 9,
           *           "email": "grace@acme.example",
           *           "status": "pending",
           *           "roles": [
           *             "developer"
           *           ],
           *           "invited_by": {
           *             "id": 5,
           *             "name": "Ada Lovelace"
           *           },
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "expires_at": "2026-03-21T09:26:53.589Z",
           *           "mail_failure": null
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['InvitationPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "grace@acme.example",
         *       "roles": [
         *         2
         *       ]
         *     }
         */
        'application/json': components['schemas']['InvitationInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-invitation': components['headers']['svc-invitation'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 9,
           *       "email": "grace@acme.example",
           *       "status": "pending",
           *       "roles": [
           *         "developer"
           *       ],
           *       "invited_by": {
           *         "id": 5,
           *         "name": "Ada Lovelace"
           *       },
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "expires_at": "2026-03-21T09:26:53.589Z",
           *       "mail_failure": null
           *     }
           */
          'application/json': components['schemas']['Invitation'];
        };
      };
      400: components['responses']['BadRequestPathIdBodyAlreadyMemberAlreadyInvitedOutsideEmailDomainEmailDomainLocked'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequestsTooManyMails'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an invitation */
        invitation_id: components['parameters']['InvitationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the invitation */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 9,
           *       "email": "grace@acme.example",
           *       "status": "pending",
           *       "roles": [
           *         "developer"
           *       ],
           *       "invited_by": {
           *         "id": 5,
           *         "name": "Ada Lovelace"
           *       },
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "expires_at": "2026-03-21T09:26:53.589Z",
           *       "mail_failure": null
           *     }
           */
          'application/json': components['schemas']['Invitation'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description an invitation */
        invitation_id: components['parameters']['InvitationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description taken back */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      409: components['responses']['StateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of join requests */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 4,
           *           "user": {
           *             "id": 6,
           *             "name": "Grace Hopper"
           *           },
           *           "email": "grace@acme.example",
           *           "status": "pending",
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "decided_at": null
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['JoinRequestPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  approveJoinRequest: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a join request of the tenant */
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description approved */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictStateConflictLimitReached'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  rejectJoinRequest: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a join request of the tenant */
        join_request_id: components['parameters']['JoinRequestId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description rejected */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictStateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 6,
           *           "email": "grace@acme.example",
           *           "name": "Grace Hopper",
           *           "active": true,
           *           "roles": [
           *             "developer"
           *           ],
           *           "created_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['MemberPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listGrantablePermissions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the permission catalogue */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantablePermissions'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateMember: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a member of the tenant, by the id of their user account */
        member_id: components['parameters']['MemberId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "active": true,
         *       "roles": [
         *         1,
         *         2
         *       ]
         *     }
         */
        'application/json': components['schemas']['MemberChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBodyMemberIsOwnerMemberIsSelf'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a member of the tenant, by the id of their user account */
        member_id: components['parameters']['MemberId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description removed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdMemberIsOwnerMemberIsSelf'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 6,
           *           "email": "grace@acme.example",
           *           "name": "Grace Hopper",
           *           "active": true,
           *           "roles": [
           *             "developer"
           *           ],
           *           "created_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['MemberPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  assignRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "members": [
         *         6,
         *         7
         *       ]
         *     }
         */
        'application/json': components['schemas']['MemberIds'];
      };
    };
    responses: {
      /** @description all of them have the role */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBodyMemberIsOwnerMemberIsSelf'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  revokeRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "members": [
         *         6,
         *         7
         *       ]
         *     }
         */
        'application/json': components['schemas']['MemberIds'];
      };
    };
    responses: {
      /** @description none of them has the role */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBodyMemberIsOwnerMemberIsSelf'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listNotificationTypes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the types */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "type": "deployment_initialized",
           *         "name": "Deployment initialized"
           *       }
           *     ]
           */
          'application/json': components['schemas']['NotificationTypes'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['IpNotAllowed'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listChannels: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those of this kind */
        channel?: components['parameters']['ChannelKind'];
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of channels */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 4,
           *           "owner_kind": "tenant",
           *           "owner_id": 1,
           *           "channel": "webhook",
           *           "name": "On call",
           *           "enabled": true,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ChannelPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "channel": "webhook",
         *       "name": "On call",
         *       "destination": "https://hooks.example.com/sluice",
         *       "settings": {
         *         "webhook": {
         *           "headers": {
         *             "x-team": "platform"
         *           },
         *           "method": "POST"
         *         }
         *       },
         *       "remarks": "Ask the platform team"
         *     }
         */
        'application/json': components['schemas']['ChannelInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-channel': components['headers']['svc-channel'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 4,
           *       "owner_kind": "tenant",
           *       "owner_id": 1,
           *       "channel": "webhook",
           *       "name": "On call",
           *       "enabled": true,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "destination": "https://hooks.example.com/sluice",
           *       "settings": {
           *         "webhook": {
           *           "headers": {
           *             "x-team": "platform"
           *           },
           *           "method": "POST"
           *         }
           *       },
           *       "remarks": "Ask the platform team",
           *       "signing_secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
           *       "unsubscribed_at": null
           *     }
           */
          'application/json': components['schemas']['ChannelDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the channel */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 4,
           *       "owner_kind": "tenant",
           *       "owner_id": 1,
           *       "channel": "webhook",
           *       "name": "On call",
           *       "enabled": true,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "destination": "https://hooks.example.com/sluice",
           *       "settings": {
           *         "webhook": {
           *           "headers": {
           *             "x-team": "platform"
           *           },
           *           "method": "POST"
           *         }
           *       },
           *       "remarks": "Ask the platform team",
           *       "signing_secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
           *       "unsubscribed_at": null
           *     }
           */
          'application/json': components['schemas']['ChannelDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "enabled": false
         *     }
         */
        'application/json': components['schemas']['ChannelChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTaken'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  testChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description it is on its way */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequestsChannelTestThrottled'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listChannelSubscriptions: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those that are for this type of event */
        message_type?: components['parameters']['MessageType'];
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of subscriptions */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 9,
           *           "channel_id": 4,
           *           "message_types": [
           *             "high_disk_usage",
           *             "node_unreachable"
           *           ],
           *           "scope_divisions": [
           *             {
           *               "id": 3,
           *               "name": "Payments"
           *             }
           *           ],
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ChannelSubscriptionPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  replaceChannelSubscriptions: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "subscriptions": [
         *         {
         *           "message_types": [
         *             "high_disk_usage",
         *             "node_unreachable"
         *           ],
         *           "scope_division_ids": [
         *             3
         *           ]
         *         },
         *         {
         *           "message_types": [
         *             "deployment_deleted"
         *           ]
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['ChannelSubscriptionInputs'];
      };
    };
    responses: {
      /** @description replaced */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createChannelSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "message_types": [
         *         "high_disk_usage",
         *         "node_unreachable"
         *       ],
         *       "scope_division_ids": [
         *         3
         *       ]
         *     }
         */
        'application/json': components['schemas']['ChannelSubscriptionInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-subscription': components['headers']['svc-subscription'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 9,
           *       "channel_id": 4,
           *       "message_types": [
           *         "high_disk_usage",
           *         "node_unreachable"
           *       ],
           *       "scope_divisions": [
           *         {
           *           "id": 3,
           *           "name": "Payments"
           *         }
           *       ],
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "scope_tenants": [],
           *       "scope_environments": [],
           *       "scope_deployments": []
           *     }
           */
          'application/json': components['schemas']['ChannelSubscriptionDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getChannelSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
        /** @description a subscription of the channel */
        subscription_id: components['parameters']['SubscriptionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the subscription */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 9,
           *       "channel_id": 4,
           *       "message_types": [
           *         "high_disk_usage",
           *         "node_unreachable"
           *       ],
           *       "scope_divisions": [
           *         {
           *           "id": 3,
           *           "name": "Payments"
           *         }
           *       ],
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "scope_tenants": [],
           *       "scope_environments": [],
           *       "scope_deployments": []
           *     }
           */
          'application/json': components['schemas']['ChannelSubscriptionDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteChannelSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
        /** @description a subscription of the channel */
        subscription_id: components['parameters']['SubscriptionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listNotifications: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only what is about this type of event, or `channel_test` for test messages */
        message_type?: components['parameters']['HistoryType'];
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of the history */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 12,
           *           "tenant_id": 1,
           *           "division_id": 3,
           *           "environment_id": 5,
           *           "deployment_id": 7,
           *           "message_type": "high_disk_usage",
           *           "content": "High disk usage: orders\n\nThe disk of a node is almost full.",
           *           "status": "delivered",
           *           "attempts": 1,
           *           "reason": null,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "delivered_at": "2026-03-14T09:26:53.789Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['NotificationPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listDivisionChannels: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those of this kind */
        channel?: components['parameters']['ChannelKind'];
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of channels */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 4,
           *           "owner_kind": "tenant",
           *           "owner_id": 1,
           *           "channel": "webhook",
           *           "name": "On call",
           *           "enabled": true,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ChannelPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createDivisionChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "channel": "webhook",
         *       "name": "On call",
         *       "destination": "https://hooks.example.com/sluice",
         *       "settings": {
         *         "webhook": {
         *           "headers": {
         *             "x-team": "platform"
         *           },
         *           "method": "POST"
         *         }
         *       },
         *       "remarks": "Ask the platform team"
         *     }
         */
        'application/json': components['schemas']['ChannelInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-channel': components['headers']['svc-channel'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 4,
           *       "owner_kind": "tenant",
           *       "owner_id": 1,
           *       "channel": "webhook",
           *       "name": "On call",
           *       "enabled": true,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "destination": "https://hooks.example.com/sluice",
           *       "settings": {
           *         "webhook": {
           *           "headers": {
           *             "x-team": "platform"
           *           },
           *           "method": "POST"
           *         }
           *       },
           *       "remarks": "Ask the platform team",
           *       "signing_secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
           *       "unsubscribed_at": null
           *     }
           */
          'application/json': components['schemas']['ChannelDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getDivisionChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the channel */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 4,
           *       "owner_kind": "tenant",
           *       "owner_id": 1,
           *       "channel": "webhook",
           *       "name": "On call",
           *       "enabled": true,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "destination": "https://hooks.example.com/sluice",
           *       "settings": {
           *         "webhook": {
           *           "headers": {
           *             "x-team": "platform"
           *           },
           *           "method": "POST"
           *         }
           *       },
           *       "remarks": "Ask the platform team",
           *       "signing_secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
           *       "unsubscribed_at": null
           *     }
           */
          'application/json': components['schemas']['ChannelDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateDivisionChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "enabled": false
         *     }
         */
        'application/json': components['schemas']['ChannelChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTaken'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteDivisionChannel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  testDivisionChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description it is on its way */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequestsChannelTestThrottled'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listDivisionChannelSubscriptions: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only those that are for this type of event */
        message_type?: components['parameters']['MessageType'];
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of subscriptions */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 9,
           *           "channel_id": 4,
           *           "message_types": [
           *             "high_disk_usage",
           *             "node_unreachable"
           *           ],
           *           "scope_divisions": [
           *             {
           *               "id": 3,
           *               "name": "Payments"
           *             }
           *           ],
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ChannelSubscriptionPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  replaceDivisionChannelSubscriptions: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "subscriptions": [
         *         {
         *           "message_types": [
         *             "high_disk_usage",
         *             "node_unreachable"
         *           ],
         *           "scope_division_ids": [
         *             3
         *           ]
         *         },
         *         {
         *           "message_types": [
         *             "deployment_deleted"
         *           ]
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['ChannelSubscriptionInputs'];
      };
    };
    responses: {
      /** @description replaced */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createDivisionChannelSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "message_types": [
         *         "high_disk_usage",
         *         "node_unreachable"
         *       ],
         *       "scope_division_ids": [
         *         3
         *       ]
         *     }
         */
        'application/json': components['schemas']['ChannelSubscriptionInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-subscription': components['headers']['svc-subscription'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 9,
           *       "channel_id": 4,
           *       "message_types": [
           *         "high_disk_usage",
           *         "node_unreachable"
           *       ],
           *       "scope_divisions": [
           *         {
           *           "id": 3,
           *           "name": "Payments"
           *         }
           *       ],
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "scope_tenants": [],
           *       "scope_environments": [],
           *       "scope_deployments": []
           *     }
           */
          'application/json': components['schemas']['ChannelSubscriptionDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getDivisionChannelSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
        /** @description a subscription of the channel */
        subscription_id: components['parameters']['SubscriptionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the subscription */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 9,
           *       "channel_id": 4,
           *       "message_types": [
           *         "high_disk_usage",
           *         "node_unreachable"
           *       ],
           *       "scope_divisions": [
           *         {
           *           "id": 3,
           *           "name": "Payments"
           *         }
           *       ],
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z",
           *       "scope_tenants": [],
           *       "scope_environments": [],
           *       "scope_deployments": []
           *     }
           */
          'application/json': components['schemas']['ChannelSubscriptionDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteDivisionChannelSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
        /** @description a subscription of the channel */
        subscription_id: components['parameters']['SubscriptionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listDivisionNotifications: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description only what is about this type of event, or `channel_test` for test messages */
        message_type?: components['parameters']['HistoryType'];
      };
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description a notification channel of this owner */
        channel_id: components['parameters']['ChannelId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of the history */
      200: {
        headers: {
          Link: components['headers']['Link'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 12,
           *           "tenant_id": 1,
           *           "division_id": 3,
           *           "environment_id": 5,
           *           "deployment_id": 7,
           *           "message_type": "high_disk_usage",
           *           "content": "High disk usage: orders\n\nThe disk of a node is almost full.",
           *           "status": "delivered",
           *           "attempts": 1,
           *           "reason": null,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "delivered_at": "2026-03-14T09:26:53.789Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['NotificationPage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
      /** @description the invitations */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "id": 9,
           *         "email": "grace@acme.example",
           *         "status": "pending",
           *         "roles": [
           *           "developer"
           *         ],
           *         "invited_by": {
           *           "id": 5,
           *           "name": "Ada Lovelace"
           *         },
           *         "created_at": "2026-03-14T09:26:53.589Z",
           *         "expires_at": "2026-03-21T09:26:53.589Z",
           *         "mail_failure": null,
           *         "tenant": {
           *           "id": 3,
           *           "name": "Acme"
           *         }
           *       }
           *     ]
           */
          'application/json': components['schemas']['OwnInvitation'][];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSession'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  acceptInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description an invitation */
        invitation_id: components['parameters']['InvitationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description accepted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdAlreadyMember'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictStateConflictLimitReached'];
      410: components['responses']['Status410InvitationExpiredInvitationWithdrawn'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  rejectInvitation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description an invitation */
        invitation_id: components['parameters']['InvitationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description rejected */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['StateConflict'];
      410: components['responses']['InvitationExpired'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 3,
           *           "name": "Acme",
           *           "description": null,
           *           "email": "it@acme.example",
           *           "owner": true,
           *           "active": true,
           *           "has_custom_email_domain": true,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "updated_at": "2026-03-14T09:26:53.589Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['OwnTenantPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSession'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Acme",
         *       "email": "it@acme.example",
         *       "division": "Payments"
         *     }
         */
        'application/json': components['schemas']['TenantInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-tenant': components['headers']['svc-tenant'];
          'svc-division': components['headers']['svc-division'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 3,
           *       "name": "Acme",
           *       "description": null,
           *       "email": "it@acme.example",
           *       "owner": true,
           *       "active": true,
           *       "has_custom_email_domain": true,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['OwnTenant'];
        };
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReachedDomainClaimed'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  leaveTenant: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description left */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdOwnerCannotLeave'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceSessionWrite'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  previewDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "cloud": "cloud_a",
         *       "region": "us-east-1",
         *       "tier": "small",
         *       "storage": {
         *         "type": "network_balanced",
         *         "size": 100
         *       },
         *       "nodes": 1
         *     }
         */
        'application/json': components['schemas']['PreviewInput'];
      };
    };
    responses: {
      /** @description what it would cost */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cloud": "cloud_a",
           *       "region": "us-east-1",
           *       "tier": "small",
           *       "nodes": 1,
           *       "instance": "a-general-2x2",
           *       "monthly_total_usd": "58.31",
           *       "breakdown": {
           *         "compute_usd": "30.08",
           *         "storage_usd": "9.50",
           *         "network_usd": "16.43",
           *         "telemetry_usd": "0.00",
           *         "data_retention_usd": "2.30"
           *       }
           *     }
           */
          'application/json': components['schemas']['CostPreview'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  requestProtectionCode: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "action": {
         *         "action_type": "delete_division",
         *         "payload": {
         *           "tenant_id": 3,
         *           "division_id": 12
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['ProtectionCodeRequest'];
      };
    };
    responses: {
      /** @description the mail is on its way */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteOwnerOnly'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequestsProtectionCodeThrottledProtectionLockedTooManyMails'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": [
           *         {
           *           "id": 2,
           *           "name": "developer",
           *           "kind": "system"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['RolePage'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "operator",
         *       "permissions": {
         *         "tenant": [
         *           "info:read"
         *         ],
         *         "environment": [
         *           "deployment:manage",
         *           "deployment:access:manage"
         *         ],
         *         "divisions": {
         *           "12": {
         *             "environments": {
         *               "31": [
         *                 "deployment:read"
         *               ]
         *             }
         *           }
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['RoleInput'];
      };
    };
    responses: {
      /** @description created */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-role': components['headers']['svc-role'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RoleDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWritePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the role */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RoleDetail'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateRole: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "operator",
         *       "permissions": {
         *         "tenant": [
         *           "info:read"
         *         ],
         *         "environment": [
         *           "deployment:manage",
         *           "deployment:access:manage"
         *         ],
         *         "divisions": {
         *           "12": {
         *             "environments": {
         *               "31": [
         *                 "deployment:read"
         *               ]
         *             }
         *           }
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['RoleChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteSystemRolePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a role of the tenant */
        role_id: components['parameters']['RoleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteSystemRolePrivilegeEscalation'];
      404: components['responses']['NotFound'];
      409: components['responses']['RoleInUse'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
    /** @description JSON of up to 16 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "source": "example-id"
         *     }
         */
        'application/json': components['schemas']['SignInBeginning'];
      };
    };
    responses: {
      /** @description where to send the browser */
      200: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "url": "https://id.acme.example/authorize?client_id=sluice&state=7d1f"
           *     }
           */
          'application/json': components['schemas']['SignInAddress'];
        };
      };
      400: components['responses']['BadRequestBody'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  completeSignIn: {
    parameters: {
      query?: {
        /** @description what tells which attempt the answer belongs to */
        state?: string;
        /** @description what the provider vouches by */
        code?: string;
        /** @description the provider's code for why it does not */
        error?: string;
        /** @description who the provider says that it is */
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "next": "sign_up",
           *       "name": "Ada Lovelace",
           *       "email": "ada@acme.example",
           *       "email_verified": true
           *     }
           */
          'application/json': components['schemas']['PendingSignIn'];
        };
      };
      /** @description to the page of the installation */
      303: {
        headers: {
          'Set-Cookie': components['headers']['SetCookie'];
          /** @description that page */
          Location?: string;
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestLenientSignInFailed'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 5,
           *       "name": "Ada Lovelace",
           *       "email": "ada@acme.example",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "limits": {
           *         "tenants": 5,
           *         "memberships": 50
           *       },
           *       "settings": {
           *         "default_tenant_id": 3,
           *         "default_division_id": null
           *       },
           *       "csrf_token": "pY0Zk3w6tVb1s9XrQm2nLc8uHf4aJd7eGi5oKxTzRvU"
           *     }
           */
          'application/json': components['schemas']['Account'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthenticated'];
      404: components['responses']['NotFound'];
      409: components['responses']['AccountExists'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
    /** @description JSON of up to 16 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Ada Lovelace",
         *       "tenant": {
         *         "name": "Acme",
         *         "email": "it@acme.example"
         *       }
         *     }
         */
        'application/json': components['schemas']['SignUpInput'];
      };
    };
    responses: {
      /** @description the account; the session is in the cookie */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'Set-Cookie': components['headers']['SetCookie'];
          'svc-account': components['headers']['svc-account'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 5,
           *       "name": "Ada Lovelace",
           *       "email": "ada@acme.example",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "limits": {
           *         "tenants": 5,
           *         "memberships": 50
           *       },
           *       "settings": {
           *         "default_tenant_id": 3,
           *         "default_division_id": null
           *       },
           *       "csrf_token": "pY0Zk3w6tVb1s9XrQm2nLc8uHf4aJd7eGi5oKxTzRvU"
           *     }
           */
          'application/json': components['schemas']['Account'];
        };
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['Unauthenticated'];
      403: components['responses']['EmailNotVerified'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictAccountExistsStateConflictDomainClaimedLimitReached'];
      410: components['responses']['Status410InvitationExpiredInvitationWithdrawn'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSessionWrite'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getStructure: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the tree */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 3,
           *       "name": "Acme",
           *       "divisions": [
           *         {
           *           "id": 12,
           *           "name": "Payments",
           *           "environments": [
           *             {
           *               "id": 31,
           *               "name": "production",
           *               "deployments": [
           *                 {
           *                   "id": 77,
           *                   "name": "orders",
           *                   "cloud": "cloud_a",
           *                   "region": "us-east-1",
           *                   "variant": "managed",
           *                   "tier": "small",
           *                   "supervisor_url": "https://us-east-1.cloud-a.sluice.example"
           *                 }
           *               ]
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Structure'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getSummary: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the totals */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "total_divisions": 2,
           *       "total_environments": 5,
           *       "total_deployments": 7
           *     }
           */
          'application/json': components['schemas']['TenantSummary'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the subscription */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  changeSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "plan": "enterprise"
         *     }
         */
        'application/json': components['schemas']['SubscriptionInput'];
      };
    };
    responses: {
      /** @description in force */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getTenantConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the configuration */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "join_policy": "request_to_join",
           *       "block_external_invitations": false,
           *       "enforce_domain_only_invitations": true,
           *       "email_domain": "acme.example",
           *       "email_domain_verified_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['TenantConfig'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  replaceTenantConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "join_policy": "request_to_join",
         *       "block_external_invitations": false,
         *       "enforce_domain_only_invitations": true
         *     }
         */
        'application/json': components['schemas']['TenantConfigInput'];
      };
    };
    responses: {
      /** @description in force */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBodyTenantHasNoEmailDomain'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getTenant: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the tenant */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Tenant'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  updateTenant: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "it@acme.example",
         *       "protected": true
         *     }
         */
        'application/json': components['schemas']['TenantChanges'];
      };
    };
    responses: {
      /** @description changed */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteOwnerOnly'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description deleted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdProtectionCodeRequiredProtectionCodeInvalid'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceOwnerWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictContainsProtectedHasDeployments'];
      429: components['responses']['TooManyRequestsProtectionLocked'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  showUnsubscribe: {
    parameters: {
      query: {
        /** @description what the link has */
        token: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the page */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      400: components['responses']['BadRequest'];
      403: components['responses']['LinkInvalid'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  unsubscribe: {
    parameters: {
      query: {
        /** @description what the link has */
        token: string;
        /** @description takes it back, so that channels send to the address again */
        undo?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the page */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      400: components['responses']['BadRequest'];
      403: components['responses']['LinkInvalid'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  upgradeDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "tier": "large",
         *       "storage": {
         *         "size": 200
         *       }
         *     }
         */
        'application/json': components['schemas']['UpgradeInput'];
      };
    };
    responses: {
      /** @description accepted; the newest of `upgrades` tells how far it is */
      202: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 77,
           *       "name": "orders",
           *       "variant": "managed",
           *       "domain": "orders-k3v9.acme.example",
           *       "cloud": "cloud_a",
           *       "region": "us-east-1",
           *       "area": "us",
           *       "tier": "small",
           *       "cluster": "standalone",
           *       "nodes_count": 1,
           *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
           *       "status": "initialized",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:27:40.112Z",
           *       "code": "k3v9",
           *       "protected": false,
           *       "description": null,
           *       "encrypted": false,
           *       "storage": {
           *         "type": "network_balanced",
           *         "size": 100
           *       },
           *       "retention": {
           *         "telemetry_days": 7
           *       },
           *       "target_network_tput": null,
           *       "availability_mode": "single_az",
           *       "dedicated": false,
           *       "public_ip_enabled": true,
           *       "spend_limit": null,
           *       "status_reason": null,
           *       "upgrades": []
           *     }
           */
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictUpgradeRequiresClusterOperationInProgressStateConflictLimitReachedPaymentMethodRequired'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  extendDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
        /** @description an environment of the division */
        environment_id: components['parameters']['EnvironmentId'];
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "nodes": [
         *         {
         *           "count": 2
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['ExtensionInput'];
      };
    };
    responses: {
      /** @description accepted; the newest of `upgrades` tells how far it is */
      202: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 77,
           *       "name": "orders",
           *       "variant": "managed",
           *       "domain": "orders-k3v9.acme.example",
           *       "cloud": "cloud_a",
           *       "region": "us-east-1",
           *       "area": "us",
           *       "tier": "small",
           *       "cluster": "standalone",
           *       "nodes_count": 1,
           *       "supervisor_url": "https://us-east-1.supervisor.acme.example",
           *       "status": "initialized",
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "updated_at": "2026-03-14T09:27:40.112Z",
           *       "code": "k3v9",
           *       "protected": false,
           *       "description": null,
           *       "encrypted": false,
           *       "storage": {
           *         "type": "network_balanced",
           *         "size": 100
           *       },
           *       "retention": {
           *         "telemetry_days": 7
           *       },
           *       "target_network_tput": null,
           *       "availability_mode": "single_az",
           *       "dedicated": false,
           *       "public_ip_enabled": true,
           *       "spend_limit": null,
           *       "status_reason": null,
           *       "upgrades": []
           *     }
           */
          'application/json': components['schemas']['DeploymentDetail'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictExtendRequiresClusterOperationInProgressStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
}
