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
  '/audit/types': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The types of event that are recorded */
    get: operations['listAuditTypes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/audit/tenants/{tenant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    /**
     * The entries of a tenant, newest first
     * @description An entry is listed when it satisfies every filter that is given. Pages are counted from the newest entry, so
     *     new entries move the others on to later pages; with a `to` in the past, pages stay as they are.
     */
    get: operations['listAuditEntries'];
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
    AuditType: {
      /** @description slug, snake_case */
      type: string;
      /** @description the label that people read */
      name: string;
    };
    /** @description One event. Names are those that things had when it happened. */
    AuditEntry: {
      /** @description event type slug */
      type: string;
      /** @description the type's label; the slug itself for a type that this version does not know */
      name: string;
      /** @description the user who did it; null for what the system did by itself */
      author: components['schemas']['NullableRef'];
      /** @description the user whom it was done to */
      user: components['schemas']['NullableRef'];
      division: components['schemas']['NullableRef'];
      environment: components['schemas']['NullableRef'];
      deployment: components['schemas']['NullableRef'];
      /** @description the key that the author used */
      api_key: components['schemas']['NullableRef'];
      /** @description what belongs to events of this type; may be null */
      data: unknown;
      /**
       * Format: uuid
       * @description shared by all events of one request or workflow
       */
      correlation_id: string | null;
      timestamp: components['schemas']['Timestamp'];
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
  listAuditTypes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all types, with the labels that people read */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditType'][];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
        /** @description the earliest time that is listed, with `Z` or an offset (send its `+` as `%2B`) */
        from?: components['schemas']['Timestamp'];
        /** @description the time from which on nothing is listed */
        to?: components['schemas']['Timestamp'];
        /** @description the user who did it */
        author?: components['schemas']['UserId'];
        /** @description the user whom it was done to */
        user?: components['schemas']['UserId'];
        division?: components['schemas']['DivisionId'];
        environment?: components['schemas']['EnvironmentId'];
        deployment?: components['schemas']['DeploymentId'];
        /** @description event types of `/audit/types`, separated by commas; entries of any of them are listed */
        types?: string[];
        /** @description everything that one request or workflow has caused */
        correlation_id?: string;
      };
      header?: never;
      path: {
        tenant_id: components['parameters']['TenantId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description one page of entries */
      200: {
        headers: {
          /** @description RFC 8288 links to the first, previous, next and last page */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['AuditEntry'][];
            page: number;
            total_results: number;
            total_pages: number;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
}
