// Generated from the OpenAPI document by `npm run generate`: change that, not this.

export interface paths {
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
    post?: never;
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
        role_id: components['schemas']['Id'];
      };
      cookie?: never;
    };
    /** One role with what it grants */
    get: operations['getRole'];
    put?: never;
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
    put?: never;
    post?: never;
    delete?: never;
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
    ApiKeyInput: {
      name: components['schemas']['Name'];
      /** @description the role whose permissions the key has; either this or `permissions` */
      role_id?: number | null;
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
      division_id?: number | null;
    };
    DivisionApiKeyInput: {
      name: components['schemas']['Name'];
      /** @description the role whose permissions the key has; either this or `permissions` */
      role_id?: number | null;
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
    CreatedApiKey: {
      id: components['schemas']['Id'];
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
      id: components['schemas']['Id'];
      name: string;
      role_id: components['schemas']['Id'];
      role_name: string;
      user_id: components['schemas']['Id'];
      division_id: number | null;
      validate_ip: boolean;
      allowed_ips: string[];
      expiry_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description when the main API last accepted it, to within some seconds
       */
      last_used_at: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /** @description An API key; a division's key shows only what it grants there. */
    ApiKeyDetail: {
      id: components['schemas']['Id'];
      name: string;
      role_id: components['schemas']['Id'];
      role_name: string;
      user_id: components['schemas']['Id'];
      division_id: number | null;
      validate_ip: boolean;
      allowed_ips: string[];
      expiry_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description when the main API last accepted it, to within some seconds
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
      id: components['schemas']['Id'];
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
      id: components['schemas']['Id'];
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
      id: components['schemas']['Id'];
      name: string;
      description: string | null;
      email: string | null;
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    Environment: {
      id: components['schemas']['Id'];
      name: string;
      description: string | null;
      protected: boolean;
      created_at: components['schemas']['Timestamp'];
      updated_at: components['schemas']['Timestamp'];
    };
    /** @description 1 to 100 characters, without control characters and surrounding spaces */
    Name: string;
    /** @description 1 to 100 characters, without control characters and surrounding spaces */
    OptionalName: string | null;
    OptionalDescription: string | null;
    /** Format: email */
    OptionalEmail: string | null;
    OptionalFlag: boolean | null;
    TotalResults: number;
    Role: {
      id: components['schemas']['Id'];
      name: string;
      /** @enum {string} */
      kind: 'system' | 'custom';
    };
    RoleDetail: {
      id: components['schemas']['Id'];
      name: string;
      /** @enum {string} */
      kind: 'system' | 'custom';
      permissions: components['schemas']['PermissionsDetail'];
    };
    PermissionNames: string[];
    /** @description Written out: a permission to manage comes with the one to read, and an override shows what it inherits. Overrides of divisions and environments that are gone are left out. */
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
    /** @description What a role grants, as names from the permission catalogue. An override replaces the defaults for one division or environment: a field that it leaves out inherits, an empty array grants nothing. */
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
            [key: string]: components['schemas']['PermissionNamesInput'];
          };
        };
      };
    };
    PermissionNamesInput: string[];
    Tenant: {
      id: components['schemas']['Id'];
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
    TenantId: components['schemas']['Id'];
    DivisionId: components['schemas']['Id'];
    EnvironmentId: components['schemas']['Id'];
    DeploymentId: components['schemas']['Id'];
    /** @description the one-time code, needed when the resource is protected */
    ProtectionCode: string;
    ApiKeyId: components['schemas']['Id'];
    /** @description only those whose name contains this, whatever its case */
    NameContains: string;
    Cloud: string;
    Region: string;
  };
  requestBodies: never;
  headers: {
    /** @description where the new resource is */
    Location: string;
    /** @description the id of the new resource */
    CreatedId: number;
    /** @description RFC 8288 links to the first, previous, next and last page */
    Link: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
          environment_id?: number | null;
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
  getRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
        role_id: components['schemas']['Id'];
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
