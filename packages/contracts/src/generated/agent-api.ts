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
} from '../ids.ts';

export interface paths {
  '/agent/v1/enrol': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Exchange the one-time token for the node's identity
     * @description Repeating the call with the same token and the same key answers the same; with another key it is refused.
     */
    post: operations['enrolAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/desired': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the node should look like
     * @description Answers at once when the state's revision differs from `revision`, else as soon as it does, and 204 when nothing has changed for `wait` seconds. By asking for revision N the agent also says that it has applied revision N.
     */
    get: operations['getDesiredState'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/heartbeats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** How the node is */
    post: operations['postHeartbeat'];
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
    Enrolment: {
      token: string;
      /** @description an Ed25519 public key as a JWK (RFC 8037) */
      public_key: {
        /** @constant */
        kty: 'OKP';
        /** @constant */
        crv: 'Ed25519';
        x: string;
      };
    };
    AgentIdentity: {
      node_id: NodeId;
      deployment_id: DeploymentId;
    };
    DesiredState: {
      /** @description grows with each change */
      revision: number;
      node: {
        id: NodeId;
        name: string;
      };
      deployment: {
        id: DeploymentId;
        name: string;
      };
      broker: {
        /** @description name of the broker product, such as nats; an agent that does not have it reports the broker as failed */
        runtime: string;
        /** @enum {string} */
        state: 'running' | 'stopped';
        /** @description the login of the deployment's clients */
        credentials: {
          username: string;
          password: string;
        };
        /** @description configuration by BROKER_* key; what is missing has the runtime's default */
        values: {
          [key: string]: string;
        };
      };
      access_rules: components['schemas']['GatewayRule'][];
      heartbeat_seconds: number;
    };
    GatewayRule: {
      id: number;
      protocols: ('broker_http' | 'broker_tcp' | 'broker_websocket' | 'broker_udp')[];
      cidr_blocks: string[];
      /**
       * Format: date-time
       * @description from this instant on the rule lets nobody in
       */
      valid_to: string | null;
    };
    Heartbeat: {
      agent_version: string;
      /** @description the revision that the node is in; 0 before the first */
      applied_revision: number;
      runtimes: {
        /** @enum {string} */
        runtime: 'broker';
        /** @enum {string} */
        status: 'starting' | 'running' | 'stopped' | 'failed';
        version: string | null;
        /** @description for failed */
        reason: string | null;
      }[];
      /** @description where clients reach the broker, host:port; null for a protocol that the runtime does not speak */
      endpoints: {
        broker_tcp: string | null;
        broker_http: string | null;
        broker_websocket: string | null;
        broker_udp: string | null;
      };
      /** @description what the broker holds; null while it does not run */
      statistics: components['schemas']['BrokerStatistics'] | null;
    };
    BrokerStatistics: {
      streams: number;
      topics: number;
      partitions: number;
      segments: number;
      messages: number;
      consumer_groups: number;
      clients: number;
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
  enrolAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Enrolment'];
      };
    };
    responses: {
      /** @description enrolled */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentIdentity'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getDesiredState: {
    parameters: {
      query?: {
        revision?: number;
        wait?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the desired state */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DesiredState'];
        };
      };
      /** @description nothing new */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  postHeartbeat: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Heartbeat'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
}
