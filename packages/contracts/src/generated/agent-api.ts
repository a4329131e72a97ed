// Generated from the OpenAPI document by `npm run generate`: change that, not this.

import type {
  AccessRuleId,
  ConfigId,
  ConnectorInstanceId,
  DeploymentId,
  NodeId,
  SnapshotId,
  TaskId,
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
     * Enrol an agent
     * @description Exchanges the one-time token for the node's identity. Repeating the call with the same token and the same key answers the same; with another key it is refused. A machine of the customer that has none of the data which its node has held is refused with `state_conflict`, until somebody accepts that the data is lost; so is `machine` for a node on a machine of the region's own.
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
     * Get what the node should look like
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
    /**
     * Tell how the node is
     * @description Every `heartbeat_seconds`, and when something has changed. Answered once it is stored; 503 with `Retry-After` when too many wait for that.
     */
    post: operations['postHeartbeat'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/machine': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell what the node's machine is
     * @description By agents on machines of customers: when they start, and when something has changed. What clients are told as the address of the node follows from it, but for instances, of which their cloud says it. That of a node on a machine of the region's own is refused.
     */
    post: operations['postMachine'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/departure': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell that nothing of the node is left
     * @description By an agent that was told to `leave`, once it has ended and removed all that the node was. Its key is of no use any more. One that was not told to is refused.
     */
    post: operations['postDeparture'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/enrol.sh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the script that makes a machine a node
     * @description For a Linux machine that has nothing but its system. It fetches the programs by their checksum, and needs a one-time token, which `getNodeEnrolment` of the Supervisor API answers with the whole command.
     */
    get: operations['getEnrolmentScript'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/programs/{digest}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the programs of a node
     * @description The agent, its Node.js and its broker, as an archive that is known by its checksum; 404 for another checksum.
     */
    get: operations['getNodePrograms'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/telemetry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell what the node has measured and logged
     * @description A batch of samples and lines of log, in the order of their numbers. One that comes again is stored once. Answered once it is stored; 429 and 503 with `Retry-After` when the agent is to wait, and then to send the same batch again.
     */
    post: operations['postTelemetry'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/tasks/{task_id}/result': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell what came of a task
     * @description Of a task that the desired state has listed. What is told of one that has ended meanwhile, or twice, changes nothing; one that the node does not have, or not any more, is 404, and there is nothing to repeat.
     */
    post: operations['postTaskResult'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/snapshots/{snapshot_id}/findings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell what a node's examination has found
     * @description Of a snapshot that the desired state has listed. What is told twice, or of one that has been finished without the node, changes nothing; one that the node does not have, or not any more, is 404, and there is nothing to repeat.
     */
    post: operations['postSnapshotFindings'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/agent/v1/snapshots/{snapshot_id}/archive': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a piece of the ZIP of the broker's data folder
     * @description For a snapshot whose `archive_bytes` the desired state has told; the pieces in the order of their numbers, each once the one before has been answered. One that comes again changes nothing; the first of another upload begins anew. 404 when nobody waits for it any more, 413 when there are too many bytes.
     */
    post: operations['postSnapshotArchive'];
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
    /**
     * Format: int64
     * @description a deployment
     */
    DeploymentId: DeploymentId;
    /**
     * Format: int64
     * @description a node of a deployment
     */
    NodeId: NodeId;
    /**
     * Format: int64
     * @description an access rule
     */
    AccessRuleId: AccessRuleId;
    /**
     * Format: int64
     * @description a configuration
     */
    ConfigId: ConfigId;
    /**
     * Format: int64
     * @description an instance of a connector
     */
    ConnectorInstanceId: ConnectorInstanceId;
    /**
     * Format: int64
     * @description a task of a node
     */
    TaskId: TaskId;
    /**
     * Format: int64
     * @description a snapshot of a node
     */
    SnapshotId: SnapshotId;
    /**
     * Format: date-time
     * @description a time in UTC
     * @example 2026-03-14T09:26:53.589Z
     */
    Timestamp: string;
    /** @description a deployment by its id and its name */
    NamedDeployment: {
      id: components['schemas']['DeploymentId'];
      name: string;
    };
    /** @description a node by its id and its name */
    NamedNode: {
      id: components['schemas']['NodeId'];
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
     * @description a protocol by which clients reach the broker
     * @enum {string}
     */
    Protocol: 'broker_http' | 'broker_tcp' | 'broker_websocket' | 'broker_udp';
    /**
     * @description how a program that runs on a node is
     * @enum {string}
     */
    RuntimeStatus: 'starting' | 'running' | 'stopped' | 'failed';
    /**
     * @description what is watched on a node, the node itself first
     * @enum {string}
     */
    TelemetryRuntime: 'node' | 'agent' | 'gateway' | 'broker' | 'connectors';
    /**
     * @description how grave a line of a log is
     * @enum {string}
     */
    LogLevel: 'debug' | 'info' | 'warn' | 'error';
    /** @description the login of the deployment's clients */
    Credentials: {
      username: string;
      password: string;
    };
    /**
     * @description what an agent becomes a node's agent by
     * @example {
     *       "token": "enr_9vKq2LxT",
     *       "public_key": {
     *         "kty": "OKP",
     *         "crv": "Ed25519",
     *         "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
     *       }
     *     }
     */
    Enrolment: {
      /** @description the one-time token of the node */
      token: string;
      public_key: components['schemas']['PublicKey'];
      machine?: components['schemas']['Machine'];
    };
    /**
     * @description what an agent tells of a customer's machine; a newer agent may say more
     * @example {
     *       "hostname": "streaming-1",
     *       "system": "Debian GNU/Linux 13 (trixie)",
     *       "kernel": "6.12.41",
     *       "architecture": "x64",
     *       "processors": 4,
     *       "memory_bytes": 16777216000,
     *       "disk_bytes": 107374182400,
     *       "address": "10.20.0.4",
     *       "listens_on": "0.0.0.0",
     *       "holds_data": false
     *     }
     */
    Machine: {
      /** @description its name, as it calls itself */
      hostname: string;
      /** @description the distribution, such as Debian GNU/Linux 13 */
      system: string;
      /** @description the release of its kernel */
      kernel: string;
      /** @description of its processors, such as x64 */
      architecture: string;
      /** @description how many it has */
      processors: number;
      /** @description its memory */
      memory_bytes: number;
      /** @description the volume of the node's data */
      disk_bytes: number;
      /** @description an IP address or a name at which clients reach the machine */
      address: string;
      /** @description on which address its gateway listens; absent where on none, and from agents of an older release */
      listens_on?: string;
      /** @description whether a broker of the node has stored data there */
      holds_data: boolean;
    };
    /** @description an Ed25519 public key as a JWK (RFC 8037) */
    PublicKey: {
      /** @constant */
      kty: 'OKP';
      /** @constant */
      crv: 'Ed25519';
      /** @description the key, base64url */
      x: string;
    };
    /**
     * @description which node the agent is of
     * @example {
     *       "node_id": 90,
     *       "deployment_id": 77
     *     }
     */
    AgentIdentity: {
      node_id: components['schemas']['NodeId'];
      deployment_id: components['schemas']['DeploymentId'];
    };
    /** @description what the node should look like */
    DesiredState: {
      /** @description grows with each change */
      revision: number;
      /** @description the W3C trace context of what has changed the state; absent where that is not traced, or long ago */
      traceparent?: string;
      /** @description true: the node is no more. Its agent ends and removes all that it was, data included, and tells that by `postDeparture`; only where the machine is the customer's */
      leave?: boolean;
      node: components['schemas']['NamedNode'];
      deployment: components['schemas']['NamedDeployment'];
      broker: components['schemas']['DesiredBroker'];
      access_rules: components['schemas']['GatewayRule'][];
      /** @description the time between two heartbeats */
      heartbeat_seconds: number;
      connectors: components['schemas']['DesiredConnectors'];
      /** @description what the node is to do now, oldest first, each at least until it has told the result */
      tasks: components['schemas']['NodeTask'][];
      telemetry: components['schemas']['DesiredTelemetry'];
      /** @description which examinations of the node are wanted now, each until it has told what it has found */
      snapshots: components['schemas']['WantedSnapshot'][];
    };
    /** @description an examination of the node that is to be made at once */
    WantedSnapshot: {
      id: components['schemas']['SnapshotId'];
      /** @description whether what looks like a secret is taken out of what is told */
      redact_secrets: boolean;
      /**
       * Format: date-time
       * @description from then on nobody waits for it
       */
      deadline: string;
      /** @description absent where the broker's data folder is not wanted; else how large the ZIP of it may be */
      archive_bytes?: number;
    };
    /** @description how the node is to be watched */
    DesiredTelemetry: {
      /** @description the time between two samples */
      metrics_seconds: number;
      /** @description the longest time that samples wait to be sent together; lines of log are not kept waiting for it */
      send_seconds: number;
    };
    /** @description what the connectors runtime should look like */
    DesiredConnectors: {
      /** @enum {string} */
      state: 'running' | 'stopped';
      instances: components['schemas']['DesiredConnectorInstance'][];
    };
    /** @description an instance of a connector */
    DesiredConnectorInstance: {
      id: components['schemas']['ConnectorInstanceId'];
      /** @enum {string} */
      type: 'sink' | 'source';
      /** @description that of the plugin */
      connector_key: string;
      /** @description names the instance in its deployment */
      key: string;
      /** @description what it goes by; null while it has none, and then it is there and does nothing */
      config: components['schemas']['DesiredConnectorConfig'] | null;
    };
    /** @description a version of a connector's configuration, its secrets included */
    DesiredConnectorConfig: {
      id: number;
      version: number;
      /** @description enabled, streams, plugin_config, transforms */
      values: {
        [key: string]: unknown;
      };
    };
    /** @description Something to be done on the node. The state that comes with it has what it leads to, such as `broker.state`; the agent says when that is so, or why it cannot be. Only a restart is more than the state. */
    NodeTask: {
      id: components['schemas']['TaskId'];
      runtime: components['schemas']['TaskRuntime'];
      action: components['schemas']['TaskAction'];
      /** @description for reconfigure, the configuration that is to be in force; null for all of the runtime as they are */
      config_id: components['schemas']['ConfigId'] | null;
      /**
       * Format: date-time
       * @description from then on it is not to be begun any more
       */
      deadline: string;
    };
    /**
     * @description a program that a node runs
     * @enum {string}
     */
    TaskRuntime: 'broker' | 'connectors';
    /**
     * @description what is done to it
     * @enum {string}
     */
    TaskAction: 'start' | 'stop' | 'restart' | 'reconfigure';
    /**
     * @description what came of a task
     * @example {
     *       "status": "failed",
     *       "error": "the configuration is refused: BROKER_MESSAGE_MAX_SIZE has to be at most 67108864"
     *     }
     */
    TaskResult: {
      /** @enum {string} */
      status: 'completed' | 'failed';
      /** @description for failed, why */
      error: string | null;
    };
    /**
     * @description what the checks of a node have found; a newer agent may say more than this supervisor knows
     * @example {
     *       "taken_at": "2026-03-14T09:26:53.589Z",
     *       "milliseconds": 412,
     *       "checks": [
     *         {
     *           "id": "disk_space",
     *           "group": "Volume",
     *           "title": "Disk space",
     *           "status": "critical",
     *           "finding": "The volume is full: 0 B of 10 GB are free.",
     *           "meaning": "A broker that cannot write refuses messages, and may not start again.",
     *           "action": "Delete messages or streams that are not needed, or upgrade to more storage.",
     *           "details": [
     *             {
     *               "name": "size",
     *               "value": "10 GB"
     *             }
     *           ]
     *         }
     *       ],
     *       "excerpts": [
     *         {
     *           "title": "Log of the broker",
     *           "text": "[1] [INF] Server is ready"
     *         }
     *       ]
     *     }
     */
    SnapshotFindings: {
      taken_at: components['schemas']['Moment'];
      /** @description how long the checks took together */
      milliseconds: number;
      /** @description those that show best what is wrong come first */
      checks: components['schemas']['SnapshotCheck'][];
      /** @description of configurations and logs, without secrets */
      excerpts: components['schemas']['SnapshotExcerpt'][];
    };
    /**
     * @description some bytes of a ZIP
     * @example {
     *       "upload": "0197a1f4-7a52-7cc1-9d4e-5b1f2a3c4d5e",
     *       "number": 1,
     *       "content": "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==",
     *       "last": true
     *     }
     */
    SnapshotArchivePiece: {
      /**
       * Format: uuid
       * @description the same for all pieces of one attempt
       */
      upload: string;
      number: number;
      /** @description base64 */
      content: string;
      /** @description whether the ZIP ends with it */
      last: boolean;
    };
    /** @description what one check has found */
    SnapshotCheck: {
      id: string;
      /** @description what it is about */
      group: string;
      title: string;
      /**
       * @description `unknown`: the check could not be made
       * @enum {string}
       */
      status: 'ok' | 'warning' | 'critical' | 'unknown';
      finding: string;
      meaning: string;
      /** @description what to do; null for nothing */
      action: string | null;
      /** @description the figures behind it */
      details: components['schemas']['SnapshotDetail'][];
    };
    /** @description a figure */
    SnapshotDetail: {
      name: string;
      value: string;
    };
    /** @description a part of a text of the node */
    SnapshotExcerpt: {
      title: string;
      text: string;
    };
    /** @description what the broker should look like */
    DesiredBroker: {
      /** @description name of the broker product, such as nats; an agent that does not have it reports the broker as failed */
      runtime: string;
      /** @enum {string} */
      state: 'running' | 'stopped';
      /** @description of one that is stopped for a moment only: from then on it runs again, whether its supervisor is there to say so or not. Null: it stays stopped. */
      stopped_until: components['schemas']['Timestamp'] | null;
      credentials: components['schemas']['Credentials'];
      /** @description configuration by BROKER_* key; what is missing has the runtime's default */
      values: {
        [key: string]: string;
      };
      /** @description where the values are from that the tier does not decide; null before one was put in force */
      config: components['schemas']['BrokerConfig'] | null;
      /** @description bytes per second that clients may send through the node's gateway, and as many that they may be sent; beyond that they wait. Null: no limit. */
      rate_limit: number | null;
      /** @description logins that are still good until their time */
      former_credentials: components['schemas']['FormerCredentials'][];
      /** @description what the broker proves itself by; null where clients come without TLS. Absent while there is no certificate: then what was told before holds, and before anything was told no broker is to be started */
      tls?: components['schemas']['BrokerTls'] | null;
      /** @description how the broker encrypts what it stores; null where it does not */
      encryption: components['schemas']['DesiredEncryption'] | null;
      /** @description how the node's broker is one of a cluster; null where it is by itself. Absent while there is no certificate: then what was told before holds. */
      cluster?: components['schemas']['DesiredCluster'] | null;
    };
    /** @description how the broker encrypts what it stores */
    DesiredEncryption: {
      version: components['schemas']['KeyVersion'];
      /** @description the key of this version, and the former ones that data of the node may be encrypted with */
      keys: components['schemas']['StorageKey'][];
    };
    /** @description a version of the deployment's key for data at rest */
    StorageKey: {
      version: components['schemas']['KeyVersion'];
      /** @description 32 random bytes, hexadecimal */
      key: string;
    };
    /** @description counted from 1 */
    KeyVersion: number;
    /** @description how the brokers of a deployment find and trust each other */
    DesiredCluster: {
      /** @description what tells the cluster from others, the same for all its nodes */
      name: string;
      /** @description the node's own name in it, which never changes */
      server_name: string;
      /** @description where the broker listens for the others */
      host: string;
      /** @description where the brokers listen for each other, the node's own among them. Without its own the broker is not started: where it listens is not known yet to the others. */
      routes: components['schemas']['ClusterRoute'][];
      credentials: components['schemas']['Credentials'];
      tls: components['schemas']['ClusterTls'];
      /** @description whether the broker, while it runs, may be replaced by another process: one node of a cluster at a time. One that is to be stopped is in any case, and one that has ended is started. */
      may_restart: boolean;
    };
    /** @description a broker of a cluster */
    ClusterRoute: {
      server_name: string;
      host: string;
      port: number;
    };
    /** @description what the brokers of a cluster prove themselves by to each other, and nobody else */
    ClusterTls: {
      /** @description PEM */
      certificate: string;
      /** @description PEM */
      private_key: string;
      /** @description PEM, one certificate or several */
      authority: string;
    };
    /** @description a login that was replaced; by the supervisor's clock it ends at `valid_to`, also while the supervisor is away */
    FormerCredentials: {
      username: string;
      password: string;
      /** Format: date-time */
      valid_to: string;
    };
    /** @description the deployment's certificate, which every node of it has */
    BrokerTls: {
      /** @description PEM, the certificate first and then those that lead to the authority */
      certificate: string;
      /** @description PEM */
      private_key: string;
      /** @description PEM, what clients trust: one certificate or several */
      authority: string;
      /** @description a name that the certificate is for */
      server_name: string;
      /** @description whether clients come without TLS, unless the configuration says otherwise */
      plain_text: boolean;
    };
    /** @description a version of a stored configuration */
    BrokerConfig: {
      id: components['schemas']['ConfigId'];
      name: string;
      version: number;
    };
    /** @description lets addresses in */
    GatewayRule: {
      id: components['schemas']['AccessRuleId'];
      protocols: components['schemas']['Protocol'][];
      /** @description IPv4 blocks */
      cidr_blocks: string[];
      /**
       * Format: date-time
       * @description from this instant on the rule lets nobody in
       */
      valid_to: string | null;
    };
    /**
     * @description how the node is; a newer agent may say more than this supervisor knows
     * @example {
     *       "agent_version": "1.0.0",
     *       "applied_revision": 3,
     *       "runtimes": [
     *         {
     *           "runtime": "broker",
     *           "status": "running",
     *           "version": "2.11.0",
     *           "reason": null
     *         }
     *       ],
     *       "ports": {
     *         "broker_tcp": 4222,
     *         "broker_http": 8222,
     *         "broker_websocket": null,
     *         "broker_udp": null
     *       },
     *       "statistics": {
     *         "streams": 3,
     *         "topics": 11,
     *         "partitions": 11,
     *         "segments": 14,
     *         "messages": 120934,
     *         "consumer_groups": 4,
     *         "clients": 9
     *       },
     *       "applied": {
     *         "revision": 3,
     *         "capacity": {
     *           "connections": 100,
     *           "memory_store": 536870912,
     *           "file_store": 9000000000,
     *           "rate_limit": 100000
     *         }
     *       }
     *     }
     */
    Heartbeat: {
      agent_version: components['schemas']['ProgramVersion'];
      applied_revision: components['schemas']['Revision'];
      runtimes: components['schemas']['ReportedRuntime'][];
      ports: components['schemas']['GatewayPorts'];
      /** @description what the broker holds; null while it does not run */
      statistics: components['schemas']['BrokerStatistics'] | null;
      applied?: components['schemas']['AppliedState'];
      connectors?: components['schemas']['ReportedConnectors'];
      cluster?: components['schemas']['ReportedCluster'];
    };
    /**
     * @description how the broker is as one of a cluster, at the time of the heartbeat; absent where it is by itself. `alone` counts the streams of which there is one copy only, which the node has; null before it knows.
     * @example {
     *       "port": 40123,
     *       "awaits_restart": false,
     *       "leader": true,
     *       "healthy": true,
     *       "behind": [],
     *       "alone": 0
     *     }
     */
    ReportedCluster: {
      port: components['schemas']['GatewayPort'];
      /** @description whether it runs in a former configuration, or is to be restarted, and waits for its turn */
      awaits_restart: boolean;
      /** @description whether it leads the cluster */
      leader: boolean;
      /** @description whether all that it keeps is there and up to date, as far as it knows, and the cluster has a leader */
      healthy: boolean;
      /** @description the others, by their names in the cluster, of which it knows as a leader that a copy of theirs is not up to date */
      behind: string[];
      alone: components['schemas']['Amount'];
    };
    /** @description a program that runs on the node */
    ReportedRuntime: {
      /** @enum {string} */
      runtime: 'broker';
      status: components['schemas']['RuntimeStatus'];
      /** @description null before it runs */
      version: components['schemas']['ProgramVersion'] | null;
      /** @description for failed, what went wrong */
      reason: string | null;
    };
    /** @description how the connectors runtime is; absent before the node has a state. It runs while there is an instance, and has its plugins in any case. */
    ReportedConnectors: {
      status: components['schemas']['RuntimeStatus'];
      /** @description why it is so */
      reason: string | null;
      plugins: components['schemas']['ReportedPlugin'][];
      instances: components['schemas']['ReportedInstance'][];
    };
    /** @description a connector that the node can run */
    ReportedPlugin: {
      /** @enum {string} */
      type: 'sink' | 'source';
      key: string;
    };
    /** @description how an instance of a connector is on this node */
    ReportedInstance: {
      id: components['schemas']['ConnectorInstanceId'];
      status: components['schemas']['InstanceRunStatus'];
      /** @description what it waits for, or what is wrong */
      reason: string | null;
      /** @description the configuration that it goes by; null for none */
      config_id: components['schemas']['ReportedNumber'] | null;
      /** @description the version of that */
      config_version: components['schemas']['ReportedNumber'] | null;
      metrics: components['schemas']['InstanceMetrics'];
    };
    /** @description an id or a version */
    ReportedNumber: number;
    /**
     * @description what an instance is at
     * @enum {string}
     */
    InstanceRunStatus: 'Starting' | 'Running' | 'Stopping' | 'Stopped' | 'Error';
    /** @description counted since its runtime has begun with the instance */
    InstanceMetrics: {
      messages_produced: components['schemas']['Count'];
      messages_consumed: components['schemas']['Count'];
      messages_processed: components['schemas']['Count'];
      messages_sent: components['schemas']['Count'];
      messages_filtered: components['schemas']['Count'];
      errors: components['schemas']['Count'];
    };
    /** @description Where the node's gateway listens, by protocol; null for a protocol that the broker does not speak, or not yet. On which host is not for the agent to say. */
    GatewayPorts: {
      broker_tcp: components['schemas']['GatewayPort'];
      broker_http: components['schemas']['GatewayPort'];
      broker_websocket: components['schemas']['GatewayPort'];
      broker_udp: components['schemas']['GatewayPort'];
    };
    /** @description What came of a revision, at the time of the heartbeat; absent before the node has a state. While the broker has failed, and after its configuration was refused, the revision counts as applied as well. */
    AppliedState: {
      revision: components['schemas']['Revision'];
      /** @description the version of the key that all stored data is encrypted with; null where it is not, or is not known to be */
      encryption_version?: components['schemas']['KeyVersion'] | null;
      /** @description what the broker may use; null where that is not known */
      capacity: components['schemas']['BrokerCapacity'] | null;
    };
    /** @description what a broker may use; null for what is left to the broker, and for no rate limit */
    BrokerCapacity: {
      connections: components['schemas']['Amount'];
      memory_store: components['schemas']['Amount'];
      file_store: components['schemas']['Amount'];
      rate_limit: components['schemas']['Amount'];
    };
    /** @description connections, bytes, or bytes per second */
    Amount: number | null;
    /** @description a port of TCP or UDP */
    GatewayPort: number | null;
    /** @description the version of a program */
    ProgramVersion: string;
    /** @description a revision of the desired state; 0 before the first */
    Revision: number;
    /** @description how many there are */
    Count: number;
    /** @description what the broker holds */
    BrokerStatistics: {
      streams: components['schemas']['Count'];
      topics: components['schemas']['Count'];
      partitions: components['schemas']['Count'];
      segments: components['schemas']['Count'];
      messages: components['schemas']['Count'];
      consumer_groups: components['schemas']['Count'];
      clients: components['schemas']['Count'];
    };
    /**
     * @description what a node has measured and logged; a newer agent may say more than this supervisor knows
     * @example {
     *       "spool": "0197a1f4-7a52-7cc1-9d4e-5b1f2a3c4d5e",
     *       "number": 12,
     *       "samples": [
     *         {
     *           "at": "2026-03-14T09:26:53.589Z",
     *           "runtime": "node",
     *           "connector_instance_id": null,
     *           "status": null,
     *           "metrics": {
     *             "cpu_percent": 12.5,
     *             "memory_percent": 40.1,
     *             "disk_percent": 7.9
     *           }
     *         }
     *       ],
     *       "lines": [
     *         {
     *           "at": "2026-03-14T09:26:53.589Z",
     *           "runtime": "broker",
     *           "connector_instance_id": null,
     *           "level": "info",
     *           "message": "Server is ready"
     *         }
     *       ]
     *     }
     */
    TelemetryBatch: {
      /**
       * Format: uuid
       * @description where the agent keeps its batches; their numbers begin anew with another
       */
      spool: string;
      /** @description counts the batches of a spool */
      number: number;
      samples: components['schemas']['Sample'][];
      lines: components['schemas']['LogLine'][];
    };
    /** @description what was measured of a program, or of the node itself, at one time */
    Sample: {
      at: components['schemas']['Moment'];
      runtime: components['schemas']['TelemetryRuntime'];
      connector_instance_id?: components['schemas']['InstanceOrNone'];
      /** @description how the program was; null for what has no status, such as the node */
      status?: components['schemas']['RuntimeStatus'] | null;
      instance_status?: components['schemas']['InstanceRunStatus'];
      /** @description numbers by name, such as cpu_percent; those that grow for ever end in _total */
      metrics: {
        [key: string]: number;
      };
    };
    /** @description a line of a program's log */
    LogLine: {
      at: components['schemas']['Moment'];
      runtime: components['schemas']['TelemetryRuntime'];
      connector_instance_id?: components['schemas']['InstanceOrNone'];
      level: components['schemas']['LogLevel'];
      message: string;
    };
    /**
     * Format: date-time
     * @description a time in UTC, by the supervisor's clock; one that is too old or lies ahead is left out
     */
    Moment: string;
    /** @description the instance of a connector that it is about; null, or absent, for the program itself */
    InstanceOrNone: components['schemas']['ConnectorInstanceId'] | null;
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
    /** @description A problem of status 401. */
    EnrolmentTokenInvalidProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'enrolment_token_invalid';
    };
    /** @description A problem of status 403. */
    EnrolmentTokenUsedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'enrolment_token_used';
    };
    /** @description A problem of status 408. */
    RequestTimeoutProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'request_timeout';
    };
    /** @description A problem of status 409. */
    StateConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'state_conflict';
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
    BadRequestProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter';
    };
    /** @description A problem of status 401. */
    UnauthenticatedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unauthenticated';
    };
    /** @description A problem of status 400. */
    BadRequestPathProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter' | 'malformed_request';
    };
    /** @description A problem of status 404. */
    NotFoundProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'not_found';
    };
    /** @description A problem of status 400. */
    BadRequestPathBodyProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'invalid_request'
        | 'unknown_parameter'
        | 'malformed_request'
        | 'unknown_field'
        | 'body_required'
        | 'body_too_complex'
        | 'malformed_json';
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
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestBodyProblem'];
      };
    };
    /** @description `enrolment_token_invalid`: The enrolment token is unknown or too old. */
    EnrolmentTokenInvalid: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['EnrolmentTokenInvalidProblem'];
      };
    };
    /** @description `enrolment_token_used`: An agent with another key has enrolled with this token. */
    EnrolmentTokenUsed: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['EnrolmentTokenUsedProblem'];
      };
    };
    /** @description `request_timeout`: The request did not arrive in time. */
    RequestTimeout: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['RequestTimeoutProblem'];
      };
    };
    /** @description `state_conflict`: The resource is in a state that does not allow this. */
    StateConflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['StateConflictProblem'];
      };
    };
    /** @description `payload_too_large`: The body is larger than this operation takes. */
    PayloadTooLarge: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
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
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'];
      };
    };
    /** @description `rate_limited`: Too many requests; try again later. */
    RateLimited: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
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
        'svc-time': components['headers']['svc-time'];
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
        'svc-time': components['headers']['svc-time'];
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
        'svc-time': components['headers']['svc-time'];
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
     */
    BadRequest: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestProblem'];
      };
    };
    /** @description `unauthenticated`: The svc-api-key header is missing or its key is not valid. */
    Unauthenticated: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['UnauthenticatedProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     */
    BadRequestPath: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathProblem'];
      };
    };
    /** @description `not_found`: There is no such resource. */
    NotFound: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['NotFoundProblem'];
      };
    };
    /**
     * @description `invalid_request`: Some fields of the request are not valid.
     *
     *     `unknown_parameter`: The query has a parameter that this operation does not know.
     *
     *     `malformed_request`: The request could not be read.
     *
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     */
    BadRequestPathBody: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'svc-time': components['headers']['svc-time'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathBodyProblem'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description the id of the request, by which logs and the audit log know it */
    'svc-request': string;
    /** @description when the service had the request, in milliseconds since 1970 */
    'svc-time': number;
    /** @description how many seconds to wait */
    'Retry-After': number;
  };
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
    /** @description JSON of up to 16 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "enr_9vKq2LxT",
         *       "public_key": {
         *         "kty": "OKP",
         *         "crv": "Ed25519",
         *         "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
         *       }
         *     }
         */
        'application/json': components['schemas']['Enrolment'];
      };
    };
    responses: {
      /** @description enrolled */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "node_id": 90,
           *       "deployment_id": 77
           *     }
           */
          'application/json': components['schemas']['AgentIdentity'];
        };
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['EnrolmentTokenInvalid'];
      403: components['responses']['EnrolmentTokenUsed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['StateConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getDesiredState: {
    parameters: {
      query?: {
        /** @description the revision that the agent has applied */
        revision?: components['schemas']['Revision'];
        /** @description for how many seconds to wait for a change */
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
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DesiredState'];
        };
      };
      /** @description nothing new */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthenticated'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
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
    /** @description JSON of up to 64 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "agent_version": "1.0.0",
         *       "applied_revision": 3,
         *       "runtimes": [
         *         {
         *           "runtime": "broker",
         *           "status": "running",
         *           "version": "2.11.0",
         *           "reason": null
         *         }
         *       ],
         *       "ports": {
         *         "broker_tcp": 4222,
         *         "broker_http": 8222,
         *         "broker_websocket": null,
         *         "broker_udp": null
         *       },
         *       "statistics": {
         *         "streams": 3,
         *         "topics": 11,
         *         "partitions": 11,
         *         "segments": 14,
         *         "messages": 120934,
         *         "consumer_groups": 4,
         *         "clients": 9
         *       },
         *       "applied": {
         *         "revision": 3,
         *         "capacity": {
         *           "connections": 100,
         *           "memory_store": 536870912,
         *           "file_store": 9000000000,
         *           "rate_limit": 100000
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['Heartbeat'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['Unauthenticated'];
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
  postMachine: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description JSON of up to 64 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "hostname": "streaming-1",
         *       "system": "Debian GNU/Linux 13 (trixie)",
         *       "kernel": "6.12.41",
         *       "architecture": "x64",
         *       "processors": 4,
         *       "memory_bytes": 16777216000,
         *       "disk_bytes": 107374182400,
         *       "address": "10.20.0.4",
         *       "listens_on": "0.0.0.0",
         *       "holds_data": false
         *     }
         */
        'application/json': components['schemas']['Machine'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['Unauthenticated'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['StateConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  postDeparture: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description noted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthenticated'];
      409: components['responses']['StateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getEnrolmentScript: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a POSIX shell script */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content: {
          'text/x-shellscript': string;
        };
      };
      400: components['responses']['BadRequest'];
      409: components['responses']['StateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getNodePrograms: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description SHA-256 of the archive, in hexadecimal */
        digest: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a tar archive, compressed by gzip */
      200: {
        headers: {
          /** @description its bytes */
          'content-length'?: string;
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content: {
          'application/gzip': string;
        };
      };
      400: components['responses']['BadRequestPath'];
      404: components['responses']['NotFound'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  postTelemetry: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description JSON of up to 64 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "spool": "0197a1f4-7a52-7cc1-9d4e-5b1f2a3c4d5e",
         *       "number": 12,
         *       "samples": [
         *         {
         *           "at": "2026-03-14T09:26:53.589Z",
         *           "runtime": "node",
         *           "connector_instance_id": null,
         *           "status": null,
         *           "metrics": {
         *             "cpu_percent": 12.5,
         *             "memory_percent": 40.1,
         *             "disk_percent": 7.9
         *           }
         *         }
         *       ],
         *       "lines": [
         *         {
         *           "at": "2026-03-14T09:26:53.589Z",
         *           "runtime": "broker",
         *           "connector_instance_id": null,
         *           "level": "info",
         *           "message": "Server is ready"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['TelemetryBatch'];
      };
    };
    responses: {
      /** @description stored */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestBody'];
      401: components['responses']['Unauthenticated'];
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
  postTaskResult: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description a task of the node */
        task_id: components['schemas']['TaskId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 64 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "failed",
         *       "error": "the configuration is refused: BROKER_MESSAGE_MAX_SIZE has to be at most 67108864"
         *     }
         */
        'application/json': components['schemas']['TaskResult'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathBody'];
      401: components['responses']['Unauthenticated'];
      404: components['responses']['NotFound'];
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
  postSnapshotFindings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description a snapshot of the node */
        snapshot_id: components['schemas']['SnapshotId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 64 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "taken_at": "2026-03-14T09:26:53.589Z",
         *       "milliseconds": 412,
         *       "checks": [
         *         {
         *           "id": "disk_space",
         *           "group": "Volume",
         *           "title": "Disk space",
         *           "status": "critical",
         *           "finding": "The volume is full: 0 B of 10 GB are free.",
         *           "meaning": "A broker that cannot write refuses messages, and may not start again.",
         *           "action": "Delete messages or streams that are not needed, or upgrade to more storage.",
         *           "details": [
         *             {
         *               "name": "size",
         *               "value": "10 GB"
         *             }
         *           ]
         *         }
         *       ],
         *       "excerpts": [
         *         {
         *           "title": "Log of the broker",
         *           "text": "[1] [INF] Server is ready"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['SnapshotFindings'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathBody'];
      401: components['responses']['Unauthenticated'];
      404: components['responses']['NotFound'];
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
  postSnapshotArchive: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description a snapshot of the node */
        snapshot_id: components['schemas']['SnapshotId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 64 KiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "upload": "0197a1f4-7a52-7cc1-9d4e-5b1f2a3c4d5e",
         *       "number": 1,
         *       "content": "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==",
         *       "last": true
         *     }
         */
        'application/json': components['schemas']['SnapshotArchivePiece'];
      };
    };
    responses: {
      /** @description stored */
      204: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'svc-time': components['headers']['svc-time'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathBody'];
      401: components['responses']['Unauthenticated'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['StateConflict'];
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
