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
  '/deployments/{deployment_id}/access_rules': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** The access rules, newest first */
    get: operations['listAccessRules'];
    put?: never;
    /**
     * Let addresses in
     * @description Answers once the deployment's nodes enforce the rule, or after three seconds: nodes that cannot be reached get it as soon as they are back.
     */
    post: operations['createAccessRule'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/access_rules/{rule_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
        rule_id: components['schemas']['AccessRuleId'];
      };
      cookie?: never;
    };
    /** One access rule */
    get: operations['getAccessRule'];
    put?: never;
    post?: never;
    /**
     * Stop letting addresses in
     * @description Takes effect immediately: connections that only this rule had let in are closed before the answer, on all nodes that can be reached within three seconds.
     */
    delete: operations['deleteAccessRule'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** The live state of a deployment */
    get: operations['getDeployment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/credentials': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * The login of the deployment's clients
     * @description They exist from the moment on which the region knows the deployment, before its broker runs.
     */
    get: operations['getCredentials'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/info': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** How the deployment is reached */
    get: operations['getNetworkInfo'];
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
     * Totals of the tenant's deployments in this region
     * @description Counts what the caller may see; environments in which the caller has no permission are left out.
     */
    get: operations['getTenantSummary'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/summary': {
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
     * Totals of a division's deployments in this region
     * @description Counts what the caller may see. A region knows divisions only by their deployments, so one without any here, or one that does not exist, has zeros.
     */
    get: operations['getDivisionSummary'];
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
    AccessRule: {
      id: components['schemas']['AccessRuleId'];
      name: string;
      remarks: string | null;
      /** @description the protocols that are let in */
      rules: {
        broker_http: boolean;
        broker_tcp: boolean;
        broker_websocket: boolean;
        broker_udp: boolean;
      };
      cidr_blocks: string[];
      valid_to: components['schemas']['Timestamp'] | null;
      created_at: components['schemas']['Timestamp'];
    };
    NewAccessRule: {
      /** @description unique in the deployment */
      name: string;
      remarks?: string | null;
      /** @description IPv4 blocks such as 192.0.2.0/24 */
      cidr_blocks: string[];
      /** @description the protocols to let in, at least one; a protocol that is left out is not let in */
      rules: {
        broker_http?: boolean | null;
        broker_tcp?: boolean | null;
        broker_websocket?: boolean | null;
        broker_udp?: boolean | null;
      };
      /**
       * Format: date-time
       * @description from this instant on the rule lets nobody in; has to lie in the future
       */
      valid_to?: string | null;
    };
    Deployment: {
      id: components['schemas']['DeploymentId'];
      tenant_id: components['schemas']['TenantId'];
      division_id: components['schemas']['DivisionId'];
      environment_id: components['schemas']['EnvironmentId'];
      name: string;
      code: string;
      /** @description null without a subdomain */
      domain: string | null;
      /** @enum {string} */
      cloud: 'cloud_a' | 'cloud_b';
      region: string;
      /** @enum {string} */
      variant: 'managed' | 'byoc';
      tier: string;
      status: components['schemas']['DeploymentStatus'];
      /** @description for failed */
      status_reason: string | null;
      /** @description of the broker; null before it runs */
      runtime_version: string | null;
      /** @enum {string} */
      network_mode: 'public' | 'private';
      /** @description the deployment's subnet; null before it has one */
      cidr: string | null;
      endpoints: components['schemas']['Endpoints'];
      network: components['schemas']['DeploymentNetwork'];
      /** @description the active configurations; empty while everything has its default */
      configs: components['schemas']['ActiveConfig'][];
      nodes: components['schemas']['Node'][];
      created_at: components['schemas']['Timestamp'];
    };
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
    /** @description where clients reach the broker, host:port; null for a protocol that it does not speak, or not yet */
    Endpoints: {
      broker_tcp: string | null;
      broker_http: string | null;
      broker_websocket: string | null;
      broker_udp: string | null;
    };
    DeploymentNetwork: {
      public_ips: string[];
      private_ips: string[];
      dns: components['schemas']['DnsRecord'][];
      peerings: components['schemas']['Ref'][];
      private_endpoints: components['schemas']['Ref'][];
    };
    DnsRecord: {
      domain: string;
      address: string;
    };
    ActiveConfig: {
      kind: string;
      name: string;
      config_id: components['schemas']['Id'];
      version: number;
      runtime_version: string;
    };
    Node: {
      id: components['schemas']['NodeId'];
      name: string;
      /**
       * @description pending before the first heartbeat; unreachable when the last one is too long ago; else healthy exactly when its broker runs
       * @enum {string}
       */
      status: 'pending' | 'healthy' | 'unhealthy' | 'unreachable';
      runtimes: {
        runtime: string;
        /** @enum {string} */
        status: 'starting' | 'running' | 'stopped' | 'failed';
        version: string | null;
      }[];
      private_ip: string | null;
      public_ip: string | null;
      storage_type: string;
      agent_version: string | null;
      last_heartbeat_at: components['schemas']['Timestamp'] | null;
    };
    Credentials: {
      username: string;
      password: string;
    };
    NetworkInfo: {
      /** @enum {string} */
      network_mode: 'public' | 'private';
      cidr: string | null;
      domain: string | null;
      public_ips: string[];
      private_ips: string[];
      /** @description null for a protocol that the broker does not speak, or not yet */
      ports: {
        broker_tcp: number | null;
        broker_http: number | null;
        broker_websocket: number | null;
        broker_udp: number | null;
      };
      access_rules: components['schemas']['AccessRule'][];
    };
    /** @description A deployment is healthy when it is initialized and all its nodes are; every other one counts as unhealthy, and so do nodes that are pending or unreachable. Totals come from the nodes that were heard from lately. */
    Summary: {
      healthy_deployments: number;
      unhealthy_deployments: number;
      healthy_nodes: number;
      unhealthy_nodes: number;
      total_connectors: number;
      total_streams: number;
      total_topics: number;
      total_partitions: number;
      total_segments: number;
      total_messages: number;
      total_consumer_groups: number;
      total_clients: number;
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
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAccessRules: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all rules of the deployment, those past `valid_to` included */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessRule'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createAccessRule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewAccessRule'];
      };
    };
    responses: {
      /** @description the rule */
      201: {
        headers: {
          /** @description path of the rule */
          Location?: string;
          /** @description id of the rule */
          'svc-access-rule'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessRule'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getAccessRule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
        rule_id: components['schemas']['AccessRuleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the rule */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessRule'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  deleteAccessRule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
        rule_id: components['schemas']['AccessRuleId'];
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
  getDeployment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
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
          'application/json': components['schemas']['Deployment'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getCredentials: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the credentials */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Credentials'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getNetworkInfo: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the current network configuration */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkInfo'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getTenantSummary: {
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
  getDivisionSummary: {
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
