// Generated from the OpenAPI document by `npm run generate`: change that, not this.

import type {
  AccessRuleId,
  BackupId,
  ConfigId,
  ConnectorInstanceId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  NetworkLinkId,
  NodeId,
  SnapshotId,
  TaskId,
  TenantId,
  UserId,
} from '@sluice/contracts';

export interface paths {
  '/deployments/{deployment_id}/access_rules': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the access rules of a deployment
     * @description Newest first, those past `valid_to` included.
     */
    get: operations['listAccessRules'];
    put?: never;
    /**
     * Create an access rule
     * @description Lets addresses in. Answers once the deployment's nodes enforce the rule, or after three seconds: nodes that cannot be reached get it as soon as they are back.
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
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description an access rule of the deployment */
        rule_id: components['parameters']['AccessRuleId'];
      };
      cookie?: never;
    };
    /**
     * Get an access rule
     * @description Also one that is past `valid_to`.
     */
    get: operations['getAccessRule'];
    put?: never;
    post?: never;
    /**
     * Delete an access rule
     * @description Takes effect immediately: connections that only this rule had let in are closed before the answer, on all nodes that can be reached within three seconds.
     */
    delete: operations['deleteAccessRule'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/activities/{runtime}/{action}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description what it is about */
        runtime: components['schemas']['TaskRuntime'];
        /** @description `start`, `stop`, `restart`, or `reconfigure:` with the id of a configuration. Whoever starts what runs, or stops what is stopped, has it done at once. A restart starts what is stopped. */
        action: string;
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have nodes do something
     * @description One entry per node; each node does what it is told in the order in which it was asked for. What a node does not do within ten minutes, or what the installation has set, it has rejected, and nothing of it stays. A configuration holds for the whole deployment: where one node rejects it, all go back to the former one. Allowed while the deployment is `initialized` or `stopped`, else `state_conflict`, as for connectors where there are none. A node can have 20 tasks that wait, beyond that `limit_reached`.
     */
    post: operations['createActivity'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/activities': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the activities of a deployment
     * @description Newest first; the newest thousand at most, for 90 days.
     */
    get: operations['listActivities'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/tasks': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the tasks of a deployment
     * @description The 100 newest, newest first, those of activities included.
     */
    get: operations['listTasks'];
    put?: never;
    /**
     * Have the nodes take up a configuration
     * @description `broker:reconfigure` puts the primary configuration of the broker in force; `connectors:reconfigure` has the connectors take up theirs again. Each node gets a task; the answer is the first one's. The same conditions hold as for activities, and without a primary configuration it is a `state_conflict`.
     */
    post: operations['createTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/tasks/{task_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a task of the deployment */
        task_id: components['schemas']['TaskId'];
      };
      cookie?: never;
    };
    /**
     * Get a task
     * @description As long as it is kept, which is longer than it is listed.
     */
    get: operations['getTask'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/backups': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the backups of a deployment
     * @description Newest first, those that have failed included.
     */
    get: operations['listBackups'];
    put?: never;
    /**
     * Back a deployment up
     * @description Begun at once and carried out afterwards: see the status of the backup. The brokers are stopped while their volumes are copied, which takes a moment where the file system shares what is copied, and start again before the copy is checked. Allowed while the deployment is `initialized` or `stopped`; one backup or restore at a time, else `operation_in_progress`.
     */
    post: operations['createBackup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/backups/schedule': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Get the schedule of backups
     * @description Switched off, with what it would be, until somebody sets it.
     */
    get: operations['getBackupSchedule'];
    /**
     * Set the schedule of backups
     * @description From now on backups of type `scheduled` are taken at these times. A time at which the region is away, or another backup or a restore goes on, is made up for once, as soon as that is possible. Of the schedule's backups the newest are kept; where those of people leave it no room in the plan's limit, its backup fails.
     */
    put: operations['setBackupSchedule'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/backups/{backup_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a backup of the deployment */
        backup_id: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    /**
     * Get a backup
     * @description How far it is, and why it has failed if it has.
     */
    get: operations['getBackup'];
    put?: never;
    post?: never;
    /**
     * Delete a backup
     * @description Its copies go with it, in the background. Not while it is `pending` or `in_progress` (`backup_in_progress`), nor while the deployment is restored from it (`operation_in_progress`).
     */
    delete: operations['deleteBackup'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/backups/{backup_id}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a backup of the deployment */
        backup_id: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a deployment from a backup
     * @description Puts what the backup holds in the place of what the brokers have stored; what was written since is lost. Carried out afterwards: the whole backup is checked first, then the deployment is `stopped`, and started again unless somebody had stopped it. Should anything go wrong, the deployment keeps, or gets back, what it had; the audit log tells.
     */
    post: operations['restoreBackup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tenants/{tenant_id}/divisions/{division_id}/environments/{environment_id}/byoc/validate': {
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
     * Check the access to a cloud account before a deployment is made in it
     * @description Says the first thing that is wrong. What only the cloud itself can tell, whether the role can be assumed and may do what it has to, and whether the network is there, is checked where the region makes its nodes through that cloud; `unchecked` names what was not. Nothing is stored. An external id that is not the tenant's own is refused, and the cloud is not asked.
     */
    post: operations['validateCloudAccess'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/nodes/{node_id}/enrolment': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['schemas']['NodeId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make the command that makes a machine a node
     * @description For a `byoc` deployment whose nodes are machines of the customer: the command is to be run on the machine, as root. Each call makes a new one, and the one before is void. It can be used once, until `expires_at`. On a machine that has the node's data the agent comes anew and the data stays; on one that has none of it the node is refused, unless it has held none, or somebody has accepted that the data is lost. Where nodes are made by the region, `state_conflict`.
     */
    post: operations['createNodeEnrolment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/certificates': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Get what clients trust, and the certificate in force
     * @description A client that trusts `authority` comes to this deployment and no other. It is several certificates while one authority takes over from another: fetch it again every few months, or trust all of it. In a region whose certificates are of a public authority it is that one's root, which most clients have already. Null throughout before the first certificate.
     */
    get: operations['getCertificates'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/certificates/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace the certificate
     * @description By one with a key of its own, as happens by itself when two thirds of its life have passed. Nobody is cut. `deployment_certificates_rotated` tells when it is done; asking again before that changes nothing. A public authority that has said when it may be asked again is not asked sooner.
     */
    post: operations['rotateCertificates'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/credentials/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace the login of the deployment's clients
     * @description Name and password are new, and are answered by `GET …/credentials` at once. The login before is good until the grace is over, to the second, and then its clients are disconnected. A rotation without a grace ends every earlier login at once, those of earlier rotations included. At most five earlier logins are good at the same time (`limit_reached`); a rotation without a grace is always possible.
     */
    post: operations['rotateCredentials'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_a/vpc_peering': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the peerings of a deployment on cloud_a
     * @description Newest first. A deleted one is listed for an hour.
     */
    get: operations['listCloudAPeerings'];
    put?: never;
    /**
     * Ask a VPC on cloud_a for a peering
     * @description The request is made in the background. Its owner accepts it within seven days, as the instructions say; then the deployment's routes lead there.
     */
    post: operations['createCloudAPeering'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_a/vpc_peering/{peering_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a peering on cloud_a
     * @description It is `deleting` until the routes of the deployment and the peering are gone. Those of the other side are for its owner to remove.
     */
    delete: operations['deleteCloudAPeering'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_a/vpc_peering/{peering_id}/instructions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    /**
     * Get what to do about a peering on cloud_a
     * @description Other steps in each status.
     */
    get: operations['getCloudAPeeringInstructions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_a/private_link': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the endpoint services of a deployment on cloud_a
     * @description Newest first. A deleted one is listed for an hour.
     */
    get: operations['listEndpointServices'];
    put?: never;
    /**
     * Create an endpoint service on cloud_a
     * @description Made in the background. Once it is `available`, endpoints are made for its `service_name`.
     */
    post: operations['createEndpointService'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_a/private_link/{service_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description an endpoint service of the deployment */
        service_id: components['schemas']['NetworkLinkId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete an endpoint service on cloud_a
     * @description Endpoints that use it stop working.
     */
    delete: operations['deleteEndpointService'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_b/vpc_peering': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the peerings of a deployment on cloud_b
     * @description Newest first. A deleted one is listed for an hour.
     */
    get: operations['listCloudBPeerings'];
    put?: never;
    /**
     * Peer with a network on cloud_b
     * @description It is `inactive` until the same peering is made on the other side, as the instructions say.
     */
    post: operations['createCloudBPeering'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_b/vpc_peering/{peering_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a peering on cloud_b
     * @description It keeps its state until it is gone. What the other side has made is for its owner to remove.
     */
    delete: operations['deleteCloudBPeering'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_b/vpc_peering/{peering_id}/instructions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    /**
     * Get what to do about a peering on cloud_b
     * @description Other steps in each state.
     */
    get: operations['getCloudBPeeringInstructions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_b/private_service': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the service attachments of a deployment on cloud_b
     * @description Newest first. A deleted one is listed, as `closed`, for an hour.
     */
    get: operations['listServiceAttachments'];
    put?: never;
    /**
     * Create a service attachment on cloud_b
     * @description Made in the background. Once it is `active`, endpoints are made for its `service_attachment_uri`.
     */
    post: operations['createServiceAttachment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_b/private_service/{attachment_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a service attachment of the deployment */
        attachment_id: components['parameters']['AttachmentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a service attachment on cloud_b
     * @description Endpoints that use it stop working. It keeps its state until it is gone.
     */
    delete: operations['deleteServiceAttachment'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_b/private_service/{attachment_id}/instructions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a service attachment of the deployment */
        attachment_id: components['parameters']['AttachmentId'];
      };
      cookie?: never;
    };
    /**
     * Get how to connect to a service attachment on cloud_b
     * @description Other steps in each state.
     */
    get: operations['getServiceAttachmentInstructions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/network/cloud_b/private_service/{attachment_id}/connections': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a service attachment of the deployment */
        attachment_id: components['parameters']['AttachmentId'];
      };
      cookie?: never;
    };
    /**
     * List who is connected to a service attachment on cloud_b
     * @description As they were when the cloud was last asked, newest first, a thousand at most.
     */
    get: operations['listAttachmentConnections'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the configurations of a deployment
     * @description Of every kind and name the newest version, the primary one and the one in force, where these are others. With `needs_revalidation=true` only those that were found valid for another version of their runtime than is installed, as after an upgrade: activating one checks it again.
     */
    get: operations['listConfigs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs/{config_kind}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
      };
      cookie?: never;
    };
    /**
     * List the named configurations of a kind
     * @description Of every name the newest version, the primary one and the one in force, where these are others.
     */
    get: operations['listConfigsOfKind'];
    put?: never;
    /**
     * Store a configuration
     * @description A name that there is gets a new version, another one its first. All values are checked by the schema and everything that is wrong is told, with a field issue each. `***` for a secret keeps what the newest version of the name has, or before there is one what the primary configuration of the kind has, as long as that has the same destination: address, port, TLS. Else it is refused with `nothing_stored`. What the tier decides can be lowered and not raised; when the tier allows less later on, less holds. The plan limits the names of a deployment; a name has up to 100 versions.
     */
    post: operations['createConfig'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs/{config_kind}/schema': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
      };
      cookie?: never;
    };
    /**
     * Get what can be configured
     * @description By section. What this broker product cannot do is there as well, not editable, with what it would take. For a connector the key in `config_kind` can be that of an instance, or of the connector itself.
     */
    get: operations['getConfigSchema'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs/{config_kind}/primary': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
      };
      cookie?: never;
    };
    /**
     * Get the primary configuration of a kind
     * @description The version that was activated last. 404 before one was.
     */
    get: operations['getPrimaryConfig'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs/{config_kind}/{config_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description a version of a configuration */
        config_id: components['parameters']['ConfigId'];
      };
      cookie?: never;
    };
    /**
     * Get a version by its id
     * @description An id names one version of one name.
     */
    get: operations['getConfig'];
    put?: never;
    post?: never;
    /**
     * Delete a version
     * @description Its number is not given again as long as its name has other versions. The primary version, one that nodes run by, and one that they go back to if they reject another, cannot be deleted.
     */
    delete: operations['deleteConfig'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs/{config_kind}/{config_name}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description the name of a configuration */
        config_name: components['parameters']['ConfigName'];
      };
      cookie?: never;
    };
    /**
     * List the versions of a named configuration
     * @description Newest first, 100 at most.
     */
    get: operations['listConfigVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs/{config_kind}/{config_name}/versions/{version}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description the name of a configuration */
        config_name: components['parameters']['ConfigName'];
        /** @description the number of a version, counted from 1 */
        version: components['parameters']['ConfigVersion'];
      };
      cookie?: never;
    };
    /**
     * Get a version of a named configuration
     * @description By its number.
     */
    get: operations['getConfigVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/configs/{config_kind}/{config_name}/activate/{version}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description the name of a configuration */
        config_name: components['parameters']['ConfigName'];
        /** @description the number of a version, counted from 1 */
        version: components['parameters']['ConfigVersion'];
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Activate a version
     * @description Makes it the primary one of its kind, in the place of another; an earlier version brings back what was. It is checked again for the runtime that is installed. Nodes take up that of a connector by themselves, that of the broker with a task or activity `reconfigure`. Activating the primary version again only checks it.
     */
    put: operations['activateConfig'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/connectors/instances': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the instances of connectors of a deployment
     * @description Oldest first, a hundred at most. What their nodes say of them decides their status.
     */
    get: operations['listConnectorInstances'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/connectors/instances/{instance_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description an instance of a connector of the deployment */
        instance_id: components['parameters']['ConnectorInstanceId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete an instance of a connector
     * @description It leaves all nodes, and its configurations go with it. Nodes that cannot be reached end it as soon as they are back. Its key is free once the Main API has heard of it.
     */
    delete: operations['deleteConnectorInstance'];
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
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Get the live state of a deployment
     * @description With its nodes and how clients reach it.
     */
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
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Get the login of the deployment's clients
     * @description They exist from the moment on which the region knows the deployment, before its broker runs. `former` lists the earlier logins that still work after a rotation with a grace.
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
  '/deployments/{deployment_id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Try a failed deployment again
     * @description At once, instead of after a pause that grows with each failure. A deployment that has failed is tried again in any case, and becomes `initialized` as soon as nothing is lacking. Also for a deletion, and for whatever else `status_reason` says is tried again; where nothing is, `state_conflict`.
     */
    post: operations['retryDeployment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/nodes/{node_id}/accept_data_loss': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['schemas']['NodeId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a node whose data is gone start empty
     * @description A node that has held data and of which nothing is left makes its deployment `failed` with `data_lost`, until its data is back or somebody accepts here that it is gone. Where it is not, `state_conflict`.
     */
    post: operations['acceptDataLoss'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/encryption/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the key for data at rest
     * @description Makes a new version of the deployment's key. Its broker restarts and encrypts what it has stored with it; the condition `Encrypted` is `True` again when it has. A cluster keeps its key (`rotation_requires_standalone`). Only an initialized deployment with `encrypted` can be rotated (`state_conflict`), and not while a rotation, a backup or a restore is under way (`operation_in_progress`). Former versions are kept for backups that were made with them; there can be a hundred (`limit_reached`).
     */
    post: operations['rotateEncryptionKey'];
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
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Get how the deployment is reached
     * @description Its addresses, ports and access rules.
     */
    get: operations['getNetworkInfo'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/snapshots': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List the snapshots of a deployment
     * @description Newest first, one entry per node, for as many days as the plan keeps them.
     */
    get: operations['listSnapshots'];
    put?: never;
    /**
     * Have all nodes examined
     * @description Every node makes its checks, which takes seconds; one that does not answer within five minutes, or what the installation has set, is told of as that. Each snapshot has one entry per node. Allowed in every status but while the deployment is deleted (`state_conflict`). One at a time (`operation_in_progress`), and as many as the plan allows (`limit_reached`): the oldest ones can be deleted.
     */
    post: operations['createSnapshot'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/snapshots/{snapshot_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a snapshot of a node of the deployment */
        snapshot_id: components['parameters']['SnapshotId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a snapshot of a node
     * @description The entries of other nodes stay. One that is being made cannot be deleted (`state_conflict`).
     */
    delete: operations['deleteSnapshot'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/snapshots/{snapshot_id}/download': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a snapshot of a node of the deployment */
        snapshot_id: components['parameters']['SnapshotId'];
      };
      cookie?: never;
    };
    /**
     * Get a link to a snapshot's ZIP
     * @description The link needs no key: whoever has it can get this one snapshot for five minutes. It leads to the broker's data only for a caller who holds `deployment:credentials:read`; `includes_broker_data` says whether it does. While the snapshot is being made it is a `state_conflict`.
     */
    get: operations['getSnapshotDownload'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/snapshots/archive': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a snapshot's ZIP by its link
     * @description `report.html` for people, complete in itself, `findings.json` with the same for programs, and `broker-data.zip` where that was wanted, the node has sent it and the link includes it.
     */
    get: operations['getSnapshotArchive'];
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
     * Count what a tenant has in this region
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
        /** @description the tenant */
        tenant_id: components['parameters']['TenantId'];
        /** @description a division of the tenant */
        division_id: components['parameters']['DivisionId'];
      };
      cookie?: never;
    };
    /**
     * Count what a division has in this region
     * @description Counts what the caller may see. `info:read` in the tenant is enough as well. A region knows divisions only by their deployments, so one without any here, or one that does not exist, has zeros.
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
  '/deployments/{deployment_id}/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List what the nodes have measured
     * @description Newest first, one entry for each thing that is watched and each `resolution_seconds` of the range: the longer the range, the longer these are. Without `from` and `to` it is the last hour; what is older than the deployment's retention is not there any more. Ranges of up to two hours have each sample; the entries of longer ones, and those of some days ago, cover five minutes, an hour or a day, and are there some minutes after these have passed.
     */
    get: operations['listMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/metrics/prometheus': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Get the newest measurements as Prometheus reads them
     * @description In the text format 0.0.4, one gauge or counter for each metric (counters end in `_total`), with `node`, `runtime` and `connector_instance_id` as labels. What has not been heard of for two minutes is left out. Prometheus sends the key by `http_headers`, from version 2.55 on.
     */
    get: operations['scrapeMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/heartbeats': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List how the programs on the nodes were
     * @description What the agents have told of themselves, the gateway, the broker and the connectors, newest first; range and resolution as for the metrics.
     */
    get: operations['listHeartbeats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/logs': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * List lines of the logs
     * @description Newest first. Without `from` and `to` those of the last day. A search looks at the newest 50,000 lines of the range; where there are more, `searched_from` says how far it came, which can be the `to` of the next one.
     */
    get: operations['listLogLines'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/logs/stream': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /**
     * Follow the logs
     * @description Server-sent events from now on: `line`, whose data is a line as in the list, and at the end `end` with a `reason`: `too_slow` for who does not read as fast as lines come, `forbidden` when the right is gone, `deleted` with the deployment, `stopping` when the service ends and another connection is to be made. Comments keep the connection open. At most 20 streams of a deployment, and 500 in all, on each replica.
     */
    get: operations['streamLogLines'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/nodes/{node_id}/metrics/{runtime}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['parameters']['WatchedNodeId'];
        /** @description what is watched */
        runtime: components['parameters']['WatchedRuntime'];
      };
      cookie?: never;
    };
    /**
     * List what was measured of a program on a node
     * @description As the metrics of the deployment, of one program or the node itself.
     */
    get: operations['listNodeMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployments/{deployment_id}/nodes/{node_id}/heartbeats/{runtime}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['parameters']['WatchedNodeId'];
        /** @description what is watched */
        runtime: components['parameters']['WatchedRuntime'];
      };
      cookie?: never;
    };
    /**
     * List how a program on a node was
     * @description As the heartbeats of the deployment, of one program.
     */
    get: operations['listNodeHeartbeats'];
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
    /** @description 1 to 100 characters in one line, without control characters and surrounding spaces */
    Name: string;
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
     * @description a node of a deployment
     */
    NodeId: NodeId;
    /**
     * Format: int64
     * @description a user
     */
    UserId: UserId;
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
     * @description a backup of a deployment
     */
    BackupId: BackupId;
    /**
     * Format: int64
     * @description a peering, an endpoint service or an attachment
     */
    NetworkLinkId: NetworkLinkId;
    /**
     * Format: int64
     * @description a snapshot of a node
     */
    SnapshotId: SnapshotId;
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
    /**
     * @description An ISO 8601 time with `Z` or an offset (send its `+` as `%2B`), or a date, which is its midnight in UTC
     * @example 2026-03-14
     * @example 2026-03-14T10:26:53+01:00
     */
    DateOrTime: string;
    /** @description a resource by its id and its name */
    NamedResource: {
      id: components['schemas']['Id'];
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
     * @description a disk of the node itself, or one that the network provides
     * @enum {string}
     */
    StorageType: 'local_ssd' | 'network_balanced';
    /**
     * @description whether the deployment has a public address
     * @enum {string}
     */
    NetworkMode: 'public' | 'private';
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
    /** @description Where clients reach the broker, host:port by protocol; null for one that it does not speak, or not yet. */
    Endpoints: {
      broker_tcp: string | null;
      broker_http: string | null;
      broker_websocket: string | null;
      broker_udp: string | null;
    };
    /**
     * @description lets addresses in
     * @example {
     *       "id": 15,
     *       "name": "office",
     *       "remarks": null,
     *       "rules": {
     *         "broker_http": false,
     *         "broker_tcp": true,
     *         "broker_websocket": false,
     *         "broker_udp": false
     *       },
     *       "cidr_blocks": [
     *         "192.0.2.0/24"
     *       ],
     *       "valid_to": null,
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    AccessRule: {
      id: components['schemas']['AccessRuleId'];
      name: string;
      /** @description a text for people */
      remarks: string | null;
      rules: components['schemas']['ProtocolRules'];
      /** @description IPv4 blocks */
      cidr_blocks: string[];
      /** @description from this instant on the rule lets nobody in */
      valid_to: components['schemas']['Timestamp'] | null;
      created_at: components['schemas']['Timestamp'];
    };
    /** @description the protocols that are let in, at least one */
    ProtocolRules: {
      broker_http: boolean;
      broker_tcp: boolean;
      broker_websocket: boolean;
      broker_udp: boolean;
    };
    /**
     * @description a new access rule
     * @example {
     *       "name": "office",
     *       "cidr_blocks": [
     *         "192.0.2.0/24"
     *       ],
     *       "rules": {
     *         "broker_http": false,
     *         "broker_tcp": true,
     *         "broker_websocket": false,
     *         "broker_udp": false
     *       }
     *     }
     */
    NewAccessRule: {
      name: components['schemas']['Name'];
      /** @description a text for people */
      remarks?: string | null;
      /** @description IPv4 blocks such as 192.0.2.0/24, without bits below the prefix and without leading zeros */
      cidr_blocks: string[];
      rules: components['schemas']['ProtocolRules'];
      /**
       * Format: date-time
       * @description from this instant on the rule lets nobody in; has to lie in the future
       */
      valid_to?: string | null;
    };
    /**
     * @description a program that a node runs
     * @enum {string}
     */
    TaskRuntime: 'broker' | 'connectors';
    /**
     * @description for which nodes
     * @example {
     *       "nodes": [
     *         90
     *       ]
     *     }
     */
    NewActivity: {
      /** @description nodes of the deployment; all of them when absent. A configuration holds for all nodes. */
      nodes?: number[] | null;
    };
    /**
     * @description something that a node was told to do
     * @example {
     *       "id": 42,
     *       "tenant_id": 1,
     *       "division_id": 1,
     *       "environment_id": 1,
     *       "deployment_id": 77,
     *       "author_id": 5,
     *       "runtime": "broker",
     *       "action": "restart",
     *       "node_id": 90,
     *       "status": "processing",
     *       "reason": null,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "finished_at": null
     *     }
     */
    Activity: {
      id: components['schemas']['TaskId'];
      tenant_id: components['schemas']['TenantId'];
      division_id: components['schemas']['DivisionId'];
      environment_id: components['schemas']['EnvironmentId'];
      deployment_id: components['schemas']['DeploymentId'];
      /** @description who wanted it; null for the system */
      author_id: components['schemas']['UserId'] | null;
      runtime: components['schemas']['TaskRuntime'];
      /** @description start, stop, restart, or reconfigure with the id of the configuration */
      action: string;
      node_id: components['schemas']['NodeId'];
      /**
       * @description processing until the node has done it (completed), or could not or would not do it, or did not do it in time (rejected)
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'rejected';
      /** @description for rejected, why */
      reason: string | null;
      created_at: components['schemas']['Timestamp'];
      finished_at: components['schemas']['Timestamp'] | null;
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 42,
     *           "tenant_id": 1,
     *           "division_id": 1,
     *           "environment_id": 1,
     *           "deployment_id": 77,
     *           "author_id": 5,
     *           "runtime": "broker",
     *           "action": "restart",
     *           "node_id": 90,
     *           "status": "processing",
     *           "reason": null,
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "finished_at": null
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    ActivityPage: {
      items: components['schemas']['Activity'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description what the nodes are to do
     * @example {
     *       "type": "broker:reconfigure"
     *     }
     */
    NewTask: {
      /** @enum {string} */
      type: 'broker:reconfigure' | 'connectors:reconfigure';
    };
    /**
     * @description something that a node is to do, or has done
     * @example {
     *       "id": 42,
     *       "type": "broker:reconfigure",
     *       "runtime": "broker",
     *       "node_id": 90,
     *       "status": "failed",
     *       "error": "the configuration is refused: BROKER_MESSAGE_MAX_SIZE has to be at most 67108864",
     *       "author_id": 5,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "started_at": "2026-03-14T09:26:53.601Z",
     *       "finished_at": "2026-03-14T09:26:54.117Z"
     *     }
     */
    Task: {
      id: components['schemas']['TaskId'];
      /** @description the runtime and the action, such as broker:reconfigure */
      type: string;
      runtime: components['schemas']['TaskRuntime'];
      node_id: components['schemas']['NodeId'];
      /**
       * @description queued until its turn has come; running until the node has told what came of it; cancelled when the deployment is deleted before
       * @enum {string}
       */
      status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      /** @description for failed, why */
      error: string | null;
      /** @description who wanted it; null for the system */
      author_id: components['schemas']['UserId'] | null;
      created_at: components['schemas']['Timestamp'];
      started_at: components['schemas']['Timestamp'] | null;
      finished_at: components['schemas']['Timestamp'] | null;
    };
    /**
     * @description what a backup was taken for
     * @enum {string}
     */
    BackupType: 'manual' | 'scheduled' | 'pre_upgrade';
    /**
     * @description a new backup
     * @example {
     *       "name": "before the migration",
     *       "remarks": "as agreed with payments",
     *       "expires_in_days": 14
     *     }
     */
    NewBackup: {
      name: components['schemas']['Name'];
      /**
       * Format: int64
       * @description a node of the deployment; all of them when absent
       */
      node_id?: number | null;
      /** @description what it is taken for; `manual` when absent */
      backup_type?: components['schemas']['BackupType'] | null;
      /** @description a text for people */
      remarks?: string | null;
      /** @description after so many days it is deleted; as many as the plan allows when absent */
      expires_in_days?: number | null;
    };
    /**
     * @description when backups are taken by themselves
     * @example {
     *       "enabled": true,
     *       "cron": "30 2 * * 1-5",
     *       "keep": 5
     *     }
     */
    NewBackupSchedule: {
      enabled: boolean;
      /** @description minute, hour, day of the month, month and day of the week, in UTC; at least an hour between two */
      cron: string;
      /** @description how many of the schedule's backups are kept; at most as many as the plan allows in all */
      keep: number;
    };
    /**
     * @description when backups are taken by themselves
     * @example {
     *       "enabled": true,
     *       "cron": "30 2 * * 1-5",
     *       "keep": 5,
     *       "next_at": "2026-03-16T02:30:00.000Z"
     *     }
     */
    BackupSchedule: {
      enabled: boolean;
      /** @description minute, hour, day of the month, month and day of the week, in UTC; at least an hour between two */
      cron: string;
      /** @description how many of the schedule's backups are kept; at most as many as the plan allows in all */
      keep: number;
      /** @description the next time; null while it is switched off */
      next_at: components['schemas']['Timestamp'] | null;
    };
    /**
     * @description a copy of what the brokers of a deployment, or that of one node, had stored at one moment
     * @example {
     *       "id": 12,
     *       "deployment_id": 77,
     *       "node_id": null,
     *       "name": "before the migration",
     *       "backup_type": "manual",
     *       "status": "completed",
     *       "error": null,
     *       "snapshot_ids": [
     *         "12-90"
     *       ],
     *       "volume_ids": [
     *         "90"
     *       ],
     *       "size_bytes": 73400320,
     *       "region": "us-east-1",
     *       "remarks": null,
     *       "started_at": "2026-03-14T09:26:53.601Z",
     *       "completed_at": "2026-03-14T09:26:55.117Z",
     *       "expires_at": "2026-04-13T09:26:53.589Z",
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    Backup: {
      id: components['schemas']['BackupId'];
      deployment_id: components['schemas']['DeploymentId'];
      /** @description the node that it is of; null for all nodes */
      node_id: components['schemas']['NodeId'] | null;
      name: string;
      backup_type: components['schemas']['BackupType'];
      /**
       * @description pending until the brokers can be stopped; in_progress until all is copied and checked (completed), or something went wrong (failed); deleting until nothing of it is left
       * @enum {string}
       */
      status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'deleting';
      /** @description for failed, why */
      error: string | null;
      /** @description the copies, one per volume */
      snapshot_ids: string[];
      /** @description what they are copies of, in the same order */
      volume_ids: string[];
      /**
       * Format: int64
       * @description 0 until it is completed
       */
      size_bytes: number;
      region: string;
      /** @description a text for people */
      remarks: string | null;
      started_at: components['schemas']['Timestamp'] | null;
      completed_at: components['schemas']['Timestamp'] | null;
      /** @description from then on it is deleted */
      expires_at: components['schemas']['Timestamp'] | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description how a machine of the customer becomes the node
     * @example {
     *       "command": "curl -fsS https://us-east-1.supervisor.acme.example/agent/v1/enrol.sh -o sluice-enrol.sh && …",
     *       "platform": "linux-x64",
     *       "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
     *       "expires_at": "2026-03-14T10:26:53.589Z"
     *     }
     */
    NodeEnrolment: {
      /** @description to be run on a Linux machine, as it is; it holds a secret */
      command: string;
      /** @description what the machine has to be, such as linux-x64 */
      platform: string;
      /** @description SHA-256 of the programs that it fetches */
      checksum: string;
      expires_at: components['schemas']['Timestamp'];
    };
    /**
     * @description the account, as a deployment in it would have it
     * @example {
     *       "cloud": "cloud_a",
     *       "region": "us-east-1",
     *       "account_id": "123456789012",
     *       "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
     *       "external_id": "3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b",
     *       "vpc_id": "vpc-0a1b2c3d"
     *     }
     */
    CloudAccessInput: {
      cloud: components['schemas']['Cloud'];
      /** @description a region of the cloud */
      region: string;
      /** @description the account, or the project */
      account_id: string;
      /** @description the role, or the mail address of the service account */
      identity_arn: string;
      /** @description the one that the setup tells; `cloud_a` only */
      external_id?: string;
      /** @description the id of the network, or its name */
      vpc_id: string;
    };
    /**
     * @description whether a deployment can be made with this access, as far as that was looked at
     * @example {
     *       "valid": false,
     *       "error": "identity_arn is a role of another account than account_id",
     *       "unchecked": []
     *     }
     */
    CloudAccessCheck: {
      valid: boolean;
      /** @description what is wrong, for people; only when it is not valid */
      error?: string;
      /** @description what was not looked at here */
      unchecked: ('role' | 'external_id' | 'network' | 'permissions')[];
    };
    /** @description what clients trust, and the certificate in force */
    Certificates: {
      /** @description PEM, one certificate or several */
      authority: string | null;
      /** @description of the certificate in force, hexadecimal */
      serial: string | null;
      not_before: components['schemas']['Timestamp'] | null;
      /** @description a next one is in force long before */
      not_after: components['schemas']['Timestamp'] | null;
    };
    /**
     * @description how the login is replaced
     * @example {
     *       "grace_seconds": 3600
     *     }
     */
    LoginRotation: {
      /**
       * @description for how long the login before is good; 0 ends every earlier login
       * @default 0
       */
      grace_seconds: number | null;
    };
    /** @description connects the deployment's network with a VPC */
    CloudAPeering: {
      id: components['schemas']['NetworkLinkId'];
      name: string;
      /** @description as the cloud knows it; null until it does */
      peering_connection_id: string | null;
      /** @description the deployment's VPC; null until it is known */
      requester_vpc_id: string | null;
      /** @description the deployment's subnet */
      requester_cidr: string | null;
      accepter_vpc_id: string;
      accepter_cidr: string;
      requester_region: string;
      accepter_region: string;
      /** @description the account of the deployment's VPC; null until it is known */
      requester_owner_id: string | null;
      accepter_owner_id: string;
      status: components['schemas']['CloudAPeeringStatus'];
      /** @description why it is so; null where there is nothing to say */
      status_reason: string | null;
      /** @description a text for people */
      remarks: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description `initiating_request` until the cloud has the request, `pending_acceptance` for seven days at most, `provisioning` until the deployment's routes lead there
     * @enum {string}
     */
    CloudAPeeringStatus:
      | 'initiating_request'
      | 'pending_acceptance'
      | 'provisioning'
      | 'active'
      | 'rejected'
      | 'expired'
      | 'failed'
      | 'deleting'
      | 'deleted';
    /**
     * @description a peering with a VPC on cloud_a
     * @example {
     *       "name": "office",
     *       "peer_vpc_id": "vpc-0a1b2c3d4e5f60718",
     *       "peer_owner_id": "123456789012",
     *       "peer_vpc_cidr": "172.16.0.0/16"
     *     }
     */
    NewCloudAPeering: {
      name: components['schemas']['Name'];
      /** @description the VPC to be peered with */
      peer_vpc_id: string;
      /** @description the account that it belongs to */
      peer_owner_id: string;
      /** @description its IPv4 block with a prefix of 8 to 28, without bits below it; overlaps neither the deployment's subnet nor the block of another peering */
      peer_vpc_cidr: string;
      /** @description that it is in; the deployment's when absent */
      peer_region?: string | null;
      /** @description a text for people */
      remarks?: string | null;
    };
    /**
     * @description what endpoints in VPCs of customers connect to
     * @example {
     *       "id": 4,
     *       "name": "partners",
     *       "vpc_endpoint_service_id": "vpce-svc-0a1b2c3d4e5f60718",
     *       "service_name": "com.cloud_a.vpce.us-east-1.vpce-svc-0a1b2c3d4e5f60718",
     *       "acceptance_required": true,
     *       "allowed_principals": [],
     *       "state": "available",
     *       "status_reason": null,
     *       "remarks": null,
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    EndpointService: {
      id: components['schemas']['NetworkLinkId'];
      name: string;
      /** @description as the cloud knows it; null until it does */
      vpc_endpoint_service_id: string | null;
      /** @description that endpoints are made for; null until it is known */
      service_name: string | null;
      acceptance_required: boolean;
      /** @description who may connect; empty for any account */
      allowed_principals: string[];
      /** @enum {string} */
      state: 'pending' | 'available' | 'deleting' | 'deleted' | 'failed';
      /** @description why it is so; null where there is nothing to say */
      status_reason: string | null;
      /** @description a text for people */
      remarks: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description an endpoint service on cloud_a
     * @example {
     *       "name": "partners",
     *       "allowed_principals": [
     *         "123456789012"
     *       ]
     *     }
     */
    NewEndpointService: {
      name: components['schemas']['Name'];
      /** @description whether each endpoint has to be accepted; true when absent */
      acceptance_required?: boolean | null;
      /** @description ARNs, or accounts of 12 digits, that may connect; any when empty or absent */
      allowed_principals?: string[] | null;
      /** @description a text for people */
      remarks?: string | null;
    };
    /** @description connects the deployment's network with another */
    CloudBPeering: {
      id: components['schemas']['NetworkLinkId'];
      name: string;
      /** @description the deployment's network; null until it is known */
      vpc_name: string | null;
      /** @description its project; null until it is known */
      project_id: string | null;
      /** @description the deployment's subnet */
      cidr: string | null;
      peer_vpc_name: string;
      peer_project_id: string;
      peer_vpc_cidr: string;
      /** @enum {string} */
      state: 'inactive' | 'active' | 'deleted';
      /** @description why it is so; null where there is nothing to say */
      status_reason: string | null;
      /** @description a text for people */
      remarks: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a peering with a network on cloud_b
     * @example {
     *       "name": "office",
     *       "peer_vpc_name": "default",
     *       "peer_project_id": "acme-streaming",
     *       "peer_vpc_cidr": "172.16.0.0/16"
     *     }
     */
    NewCloudBPeering: {
      name: components['schemas']['Name'];
      /** @description the network to be peered with */
      peer_vpc_name: string;
      /** @description its project */
      peer_project_id: string;
      /** @description its IPv4 block with a prefix of 8 to 28, without bits below it; overlaps neither the deployment's subnet nor the block of another peering */
      peer_vpc_cidr: string;
      /** @description a text for people */
      remarks?: string | null;
    };
    /** @description what endpoints in networks of customers connect to */
    ServiceAttachment: {
      id: components['schemas']['NetworkLinkId'];
      name: string;
      /** @description that endpoints are made for; null until it is known */
      service_attachment_uri: string | null;
      /** @enum {string} */
      connection_preference: 'accept_manual' | 'accept_automatic';
      /** @description projects that are let in; empty for any */
      consumer_accept_lists: string[];
      /** @enum {string} */
      state: 'pending' | 'active' | 'closed';
      /** @description why it is so; null where there is nothing to say */
      status_reason: string | null;
      /** @description a text for people */
      remarks: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a service attachment on cloud_b
     * @example {
     *       "name": "partners",
     *       "connection_preference": "accept_manual",
     *       "consumer_accept_lists": [
     *         "acme-streaming"
     *       ]
     *     }
     */
    NewServiceAttachment: {
      name: components['schemas']['Name'];
      /** @description whether projects that the list does not name wait to be let in; `accept_manual` when absent */
      connection_preference?: ('accept_manual' | 'accept_automatic') | null;
      /** @description projects that are let in; any when empty or absent */
      consumer_accept_lists?: string[] | null;
      /** @description whether connections begin with a header of the PROXY protocol; false when absent */
      enable_proxy_protocol?: boolean | null;
      /** @description a text for people */
      remarks?: string | null;
    };
    /** @description an endpoint of a customer that is connected, or wants to be */
    AttachmentConnection: {
      id: components['schemas']['Id'];
      /** @description as the cloud knows it */
      connection_id: string;
      consumer_project_id: string;
      consumer_network: string | null;
      consumer_forwarding_rule: string | null;
      /** @enum {string} */
      status: 'pending' | 'accepted' | 'rejected' | 'closed' | 'needs_attention';
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description a version of a named configuration
     * @example {
     *       "id": 31,
     *       "kind": "broker",
     *       "name": "broker",
     *       "version": 2,
     *       "values": {
     *         "BROKER_MESSAGE_MAX_SIZE": "2MiB",
     *         "BROKER_TCP_MAX_PINGS": 3
     *       },
     *       "primary": true,
     *       "in_force": false,
     *       "runtime_version": "2.10.27",
     *       "needs_revalidation": false,
     *       "author_id": 5,
     *       "rejection": null,
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "activated_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    Config: {
      id: components['schemas']['ConfigId'];
      kind: string;
      name: string;
      /** @description counted from 1 for each name */
      version: number;
      values: components['schemas']['StoredValues'];
      /** @description whether it is the active one of its kind */
      primary: boolean;
      /** @description whether nodes are told of it */
      in_force: boolean;
      /** @description Of the runtime that it was found valid for: the broker, or the agent that the connectors come with. Null until the deployment has been initialized for the first time: what was stored before then has the version that runs first. */
      runtime_version: string | null;
      /** @description whether another version of the runtime is installed */
      needs_revalidation: boolean;
      /** @description who stored it */
      author_id: components['schemas']['UserId'] | null;
      /** @description why nodes refused it and went on by the version before; null once it is tried anew */
      rejection: components['schemas']['ConfigRejection'] | null;
      created_at: components['schemas']['Timestamp'];
      activated_at: components['schemas']['Timestamp'] | null;
    };
    /** @description that nodes have refused a version */
    ConfigRejection: {
      /** @description for people */
      reason: string;
      rejected_at: components['schemas']['Timestamp'];
    };
    /** @description as they were submitted, secrets as `***` */
    StoredValues: {
      [key: string]: unknown;
    };
    /**
     * @description a configuration to store
     * @example {
     *       "values": {
     *         "BROKER_MESSAGE_MAX_SIZE": "2MiB",
     *         "BROKER_TCP_MAX_PINGS": 3
     *       },
     *       "activate": true
     *     }
     */
    NewConfig: {
      /** @description the kind when absent; begins with a letter, so that no name looks like an id */
      name?: string | null;
      /** @description Of the broker: by key of the schema. Of a connector: `enabled`, `streams`, `plugin_config`, `transforms`. Up to 32 KiB; null means not given. */
      values: {
        [key: string]: unknown;
      };
      /**
       * @description whether to activate it at once
       * @default false
       */
      activate: boolean | null;
    };
    /**
     * @description what can be configured, by the section's key
     * @example {
     *       "message": {
     *         "name": "Messages",
     *         "description": "What a single message may be",
     *         "schema": [
     *           {
     *             "key": "BROKER_MESSAGE_MAX_SIZE",
     *             "name": "Largest message",
     *             "description": "The most bytes of one message",
     *             "default_value": "1MiB",
     *             "kind": "size",
     *             "editable": true,
     *             "secret": false,
     *             "requirements": [],
     *             "rules": [
     *               {
     *                 "rule": "max",
     *                 "value": 67108864
     *               }
     *             ]
     *           }
     *         ]
     *       }
     *     }
     */
    ConfigSchema: {
      [key: string]: components['schemas']['ConfigSection'];
    };
    /** @description what belongs together */
    ConfigSection: {
      name: string;
      description: string;
      schema: components['schemas']['ConfigEntry'][];
    };
    /** @description one value that can be given */
    ConfigEntry: {
      key: string;
      name: string;
      description: string;
      /** @description what holds without a value; null for nothing, or what the product chooses */
      default_value: string | number | boolean | string[] | null;
      /** @enum {string} */
      kind: 'bool' | 'int' | 'size' | 'duration' | 'string' | 'enum' | 'list' | 'secret';
      editable: boolean;
      secret: boolean;
      /** @description what it takes to have effect, in words */
      requirements: string[];
      rules: components['schemas']['ConfigRule'][];
    };
    /** @description what a value has to satisfy: `required`; `min` and `max` of the number, the bytes, the milliseconds, for text of its length, for a list of its entries; `one_of` `values`; `pattern`, a regular expression; `at_most` what another `key` has */
    ConfigRule: {
      /** @enum {string} */
      rule: 'required' | 'min' | 'max' | 'one_of' | 'pattern' | 'at_most';
      value?: number | string;
      values?: string[];
      key?: string;
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
     *       "status": "active",
     *       "status_reason": null,
     *       "created_at": "2026-03-14T09:26:53.589Z"
     *     }
     */
    ConnectorInstance: {
      id: components['schemas']['ConnectorInstanceId'];
      deployment_id: components['schemas']['DeploymentId'];
      /** @enum {string} */
      connector_type: 'sink' | 'source';
      /** @description that of the connector in the catalogue */
      connector_key: string;
      /** @description a name for people */
      name: string;
      /** @description unique in the deployment */
      key: string;
      /**
       * @description `pending` until a node has taken it in; `inactive` while its configuration is not enabled or the connectors runtime is stopped; `failed` while a node cannot run it
       * @enum {string}
       */
      status: 'pending' | 'active' | 'inactive' | 'failed';
      /** @description what it waits for, or what is wrong */
      status_reason: string | null;
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description the login of the deployment's clients, and the earlier ones that still work
     * @example {
     *       "username": "user-k7q2ma-x41bcd",
     *       "password": "6mUaVjg3xQpR0sT8wYzB1cD4eF5gH7iJ",
     *       "former": [
     *         {
     *           "username": "user-k7q2ma",
     *           "valid_until": "2026-03-14T10:26:53.589Z"
     *         }
     *       ]
     *     }
     */
    DeploymentCredentials: {
      username: string;
      password: string;
      /** @description earlier logins, without their passwords; the one that ends first is first; absent where there is none */
      former?: components['schemas']['FormerLogin'][];
    };
    /** @description an earlier login that a rotation has left valid for its grace */
    FormerLogin: {
      username: string;
      valid_until: components['schemas']['Timestamp'];
    };
    /** @description a deployment as it runs */
    LiveDeployment: {
      id: components['schemas']['DeploymentId'];
      tenant_id: components['schemas']['TenantId'];
      division_id: components['schemas']['DivisionId'];
      environment_id: components['schemas']['EnvironmentId'];
      name: string;
      /** @description short and unique, also part of the domain */
      code: string;
      /** @description null without a subdomain */
      domain: string | null;
      cloud: components['schemas']['Cloud'];
      /** @description key of a region of the cloud */
      region: string;
      variant: components['schemas']['Variant'];
      tier: components['schemas']['Tier'];
      status: components['schemas']['DeploymentStatus'];
      /** @description for failed, which step did not finish and what was missing; while a step is tried again, why it has to be */
      status_reason: string | null;
      /** @description of the broker; null before it runs */
      runtime_version: string | null;
      network_mode: components['schemas']['NetworkMode'];
      /** @description the deployment's subnet; null before it has one */
      cidr: string | null;
      endpoints: components['schemas']['Endpoints'];
      network: components['schemas']['DeploymentNetwork'];
      /** @description the configurations that nodes run by; empty while everything has its default */
      configs: components['schemas']['ActiveConfig'][];
      nodes: components['schemas']['Node'][];
      /** @description what the deployment has reached and what it has not, by type */
      conditions: components['schemas']['Condition'][];
      created_at: components['schemas']['Timestamp'];
    };
    /** @description an observation of a deployment, as Kubernetes has them */
    Condition: {
      /** @description what is observed, for example `NodesRunning` */
      type: string;
      /** @enum {string} */
      status: 'True' | 'False' | 'Unknown';
      /** @description one word, for programs */
      reason: string;
      /** @description for people; may be empty */
      message: string;
      changed_at: components['schemas']['Timestamp'];
    };
    /** @description the addresses of a deployment and what it is connected with */
    DeploymentNetwork: {
      public_ips: string[];
      private_ips: string[];
      dns: components['schemas']['DnsRecord'][];
      peerings: components['schemas']['NamedResource'][];
      private_endpoints: components['schemas']['NamedResource'][];
    };
    /** @description a name with its address */
    DnsRecord: {
      domain: string;
      address: string;
    };
    /** @description a version of a configuration that is in force */
    ActiveConfig: {
      /** @description what it configures */
      kind: string;
      name: string;
      config_id: components['schemas']['ConfigId'];
      /** @description counted from 1 */
      version: number;
      /** @description of the runtime that it was found valid for, as in `Config`; null before one ran */
      runtime_version: string | null;
    };
    /** @description a machine that the broker runs on */
    Node: {
      id: components['schemas']['NodeId'];
      name: string;
      status: components['schemas']['NodeStatus'];
      runtimes: components['schemas']['NodeRuntime'][];
      private_ip: string | null;
      public_ip: string | null;
      storage_type: components['schemas']['StorageType'];
      /** @description null before the first heartbeat */
      agent_version: string | null;
      /** @description when its agent was last heard of, to within an eighth of the silence that makes it unreachable */
      last_heartbeat_at: components['schemas']['Timestamp'] | null;
      endpoints: components['schemas']['Endpoints'];
      /** @description whether it leads its cluster; null where there is none, and before it has said so */
      leader: boolean | null;
      /** @description what the customer's machine is; null where the region makes the node, and before it has enrolled */
      machine: components['schemas']['NodeMachine'] | null;
    };
    /** @description a machine of the customer, as its agent tells */
    NodeMachine: {
      /** @description its name, as it calls itself */
      hostname: string;
      /** @description the distribution */
      system: string;
      /** @description the release of its kernel */
      kernel: string;
      /** @description of its processors */
      architecture: string;
      /** @description how many it has */
      processors: number;
      /** @description its memory */
      memory_bytes: number;
      /** @description the volume of the node's data */
      disk_bytes: number;
      /** @description where clients reach it */
      address: string;
    };
    /**
     * @description waiting_for_enrolment while the customer has to run the command of `createNodeEnrolment` on a machine; pending before the first heartbeat; unreachable when the last one is too long ago; else healthy exactly when its broker runs
     * @enum {string}
     */
    NodeStatus: 'waiting_for_enrolment' | 'pending' | 'healthy' | 'unhealthy' | 'unreachable';
    /** @description a program that runs on a node */
    NodeRuntime: {
      /** @description which program */
      runtime: string;
      status: components['schemas']['RuntimeStatus'];
      /** @description null before it runs */
      version: string | null;
    };
    /**
     * @description what there is to do on the other side, in the state that the connection is in
     * @example {
     *       "status": "inactive",
     *       "title": "Make the peering on your side",
     *       "steps": [
     *         {
     *           "title": "Accept the peering",
     *           "text": "The connection comes about once the request is accepted.",
     *           "command": "cloud_a ec2 accept-vpc-peering-connection --vpc-peering-connection-id pcx-1"
     *         }
     *       ],
     *       "values": {
     *         "peering_connection_id": "pcx-1"
     *       }
     *     }
     */
    NetworkInstructions: {
      /** @description that they are for */
      status: string;
      title: string;
      steps: components['schemas']['InstructionStep'][];
      /** @description what the steps speak of, by name; null for what is not known yet */
      values: {
        [key: string]: string | null;
      };
    };
    /** @description one thing to do, in the order of the list */
    InstructionStep: {
      title: string;
      text: string;
      /** @description a line for a shell that does it */
      command?: string;
    };
    /** @description how a deployment is reached */
    NetworkInfo: {
      network_mode: components['schemas']['NetworkMode'];
      /** @description the deployment's subnet; null before it has one */
      cidr: string | null;
      /** @description null without a subdomain */
      domain: string | null;
      public_ips: string[];
      private_ips: string[];
      ports: components['schemas']['Ports'];
      access_rules: components['schemas']['AccessRule'][];
    };
    /** @description by protocol; null for one that the broker does not speak, or not yet */
    Ports: {
      broker_tcp: number | null;
      broker_http: number | null;
      broker_websocket: number | null;
      broker_udp: number | null;
    };
    /**
     * @description what is wanted of the snapshot
     * @example {
     *       "redact_secrets": true,
     *       "include_broker": false
     *     }
     */
    NewSnapshot: {
      /**
       * @description whether what looks like a secret is taken out of configurations and logs. The logins, keys and connector secrets that the node knows are taken out in any case.
       * @default true
       */
      redact_secrets: boolean | null;
      /**
       * @description whether the ZIP of the broker's data folder is wanted as well, with the messages that it stores. Where it is larger than the installation takes, the largest files are left out, and named.
       * @default true
       */
      include_broker: boolean | null;
    };
    /**
     * @description the diagnostic report of a node
     * @example {
     *       "id": 12,
     *       "tenant_id": 1,
     *       "division_id": 1,
     *       "environment_id": 1,
     *       "deployment_id": 77,
     *       "node_id": 90,
     *       "deployment_name": "grand-gull-1a",
     *       "name": "2026-03-14T09-26-53Z node-1",
     *       "status": "completed",
     *       "created_at": "2026-03-14T09:26:53.589Z",
     *       "completed_at": "2026-03-14T09:26:55.102Z"
     *     }
     */
    Snapshot: {
      id: components['schemas']['SnapshotId'];
      tenant_id: components['schemas']['TenantId'];
      division_id: components['schemas']['DivisionId'];
      environment_id: components['schemas']['EnvironmentId'];
      deployment_id: components['schemas']['DeploymentId'];
      node_id: components['schemas']['NodeId'];
      deployment_name: string;
      /** @description of the snapshot, the same for all nodes, and of the node */
      name: string;
      /**
       * @description processing until every node of the deployment has finished, or has not answered in time
       * @enum {string}
       */
      status: 'processing' | 'completed';
      created_at: components['schemas']['Timestamp'];
      completed_at: components['schemas']['Timestamp'] | null;
    };
    /**
     * @description One page of a list, newest first unless the operation says otherwise.
     * @example {
     *       "items": [
     *         {
     *           "id": 12,
     *           "tenant_id": 1,
     *           "division_id": 1,
     *           "environment_id": 1,
     *           "deployment_id": 77,
     *           "node_id": 90,
     *           "deployment_name": "grand-gull-1a",
     *           "name": "2026-03-14T09-26-53Z node-1",
     *           "status": "completed",
     *           "created_at": "2026-03-14T09:26:53.589Z",
     *           "completed_at": "2026-03-14T09:26:55.102Z"
     *         }
     *       ],
     *       "page": 1,
     *       "total_results": 1,
     *       "total_pages": 1
     *     }
     */
    SnapshotPage: {
      items: components['schemas']['Snapshot'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
    };
    /**
     * @description where a snapshot can be had
     * @example {
     *       "url": "https://us-east-1.example.com/snapshots/archive?token=eyJhbGciOiJkaXIi",
     *       "includes_broker_data": true
     *     }
     */
    SnapshotDownload: {
      /** @description of the ZIP, good for five minutes */
      url: string;
      /** @description whether the ZIP has `broker-data.zip` */
      includes_broker_data: boolean;
    };
    /**
     * @description A deployment is healthy when it is initialized and all its nodes are; every other one counts as unhealthy, and so do nodes that are pending or unreachable. Totals come from the nodes that were heard from lately.
     * @example {
     *       "healthy_deployments": 2,
     *       "unhealthy_deployments": 0,
     *       "healthy_nodes": 2,
     *       "unhealthy_nodes": 0,
     *       "total_connectors": 0,
     *       "total_streams": 3,
     *       "total_topics": 11,
     *       "total_partitions": 11,
     *       "total_segments": 14,
     *       "total_messages": 120934,
     *       "total_consumer_groups": 4,
     *       "total_clients": 9
     *     }
     */
    RegionSummary: {
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
    /** @description the instance of a connector that it is about; null for the program itself */
    WatchedInstance: components['schemas']['ConnectorInstanceId'] | null;
    /** @description one page of measurements */
    MeasurementPage: {
      items: components['schemas']['Measurement'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
      /**
       * @description the time that an entry covers; 0 when each is a sample
       * @enum {integer}
       */
      resolution_seconds: 0 | 300 | 3600 | 86400;
    };
    /** @description one page of heartbeats */
    RuntimeHeartbeatPage: {
      items: components['schemas']['RuntimeHeartbeat'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description entries on all pages */
      total_results: number;
      /** @description 0 when there is no entry */
      total_pages: number;
      /**
       * @description the time that an entry covers; 0 when each is a sample
       * @enum {integer}
       */
      resolution_seconds: 0 | 300 | 3600 | 86400;
    };
    /** @description one page of lines of logs */
    StoredLinePage: {
      items: components['schemas']['StoredLine'][];
      /** @description the page that this is, counted from 1 */
      page: number;
      /** @description lines on all pages */
      total_results: number;
      /** @description 0 when there is no line */
      total_pages: number;
      /** @description from which time on lines were looked at; null when that is the whole range */
      searched_from: components['schemas']['Timestamp'] | null;
    };
    /**
     * @description what was measured of a program, or of the node itself, in the time that begins at `at`
     * @example {
     *       "at": "2026-03-14T09:25:00.000Z",
     *       "node_id": 90,
     *       "runtime": "node",
     *       "connector_instance_id": null,
     *       "samples": 30,
     *       "status": null,
     *       "metrics": {
     *         "cpu_percent": {
     *           "min": 3.1,
     *           "avg": 7.25,
     *           "max": 31
     *         }
     *       }
     *     }
     */
    Measurement: {
      at: components['schemas']['Timestamp'];
      node_id: components['schemas']['NodeId'];
      runtime: components['schemas']['TelemetryRuntime'];
      connector_instance_id: components['schemas']['WatchedInstance'];
      /** @description how many there were */
      samples: number;
      /** @description how it was at the last sample; of an instance of a connector Starting, Running, Stopping, Stopped or Error; null for what has none, such as the node */
      status:
        | (
            | 'starting'
            | 'running'
            | 'stopped'
            | 'failed'
            | 'Starting'
            | 'Running'
            | 'Stopping'
            | 'Stopped'
            | 'Error'
          )
        | null;
      /** @description by name. Those that end in `_total`, and `messages_produced`, `messages_consumed`, `messages_sent`, `messages_processed`, `messages_filtered` and `errors` of an instance, grow until the program starts again. Of the connectors runtime also `running_sources` and `running_sinks`. */
      metrics: {
        [key: string]: components['schemas']['MeasuredValue'];
      };
    };
    /** @description the least, the average and the greatest of the samples */
    MeasuredValue: {
      min: number;
      avg: number;
      max: number;
    };
    /**
     * @description how a program was in the time that begins at `at`
     * @example {
     *       "at": "2026-03-14T09:25:00.000Z",
     *       "node_id": 90,
     *       "runtime": "broker",
     *       "connector_instance_id": null,
     *       "status": "running",
     *       "samples": 30
     *     }
     */
    RuntimeHeartbeat: {
      at: components['schemas']['Timestamp'];
      node_id: components['schemas']['NodeId'];
      runtime: components['schemas']['TelemetryRuntime'];
      connector_instance_id: components['schemas']['WatchedInstance'];
      status: components['schemas']['RuntimeStatus'];
      /** @description how often it was told; the status is that of the last time */
      samples: number;
    };
    /**
     * @description a line of a log
     * @example {
     *       "at": "2026-03-14T09:26:53.589Z",
     *       "node_id": 90,
     *       "runtime": "broker",
     *       "connector_instance_id": null,
     *       "level": "info",
     *       "message": "Server is ready"
     *     }
     */
    StoredLine: {
      at: components['schemas']['Timestamp'];
      node_id: components['schemas']['NodeId'];
      runtime: components['schemas']['TelemetryRuntime'];
      connector_instance_id: components['schemas']['WatchedInstance'];
      level: components['schemas']['LogLevel'];
      message: string;
    };
    /** @description A problem of status 400. */
    BadRequestPathIdProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter' | 'malformed_request' | 'malformed_id';
    };
    /** @description A problem of status 401. */
    UnauthorizedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'unauthenticated' | 'credential_frozen';
    };
    /** @description A problem of status 403. */
    ForbiddenPlaceProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden';
    };
    /** @description A problem of status 404. */
    NotFoundProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'not_found';
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
    ForbiddenPlaceWriteProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid';
    };
    /** @description A problem of status 408. */
    RequestTimeoutProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'request_timeout';
    };
    /** @description A problem of status 409. */
    ConflictNameTakenStateConflictLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'name_taken'
        | 'state_conflict'
        | 'limit_reached';
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
    /** @description A problem of status 403. */
    ForbiddenPlaceWriteFeatureNotAvailableProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'ip_not_allowed' | 'forbidden' | 'csrf_token_invalid' | 'feature_not_available';
    };
    /** @description A problem of status 409. */
    ConflictBackupsUnavailableStateConflictOperationInProgressLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'backups_unavailable'
        | 'state_conflict'
        | 'operation_in_progress'
        | 'limit_reached';
    };
    /** @description A problem of status 409. */
    ConflictBackupsUnavailableLimitReachedStateConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'backups_unavailable'
        | 'limit_reached'
        | 'state_conflict';
    };
    /** @description A problem of status 409. */
    ConflictBackupInProgressOperationInProgressProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'backup_in_progress' | 'operation_in_progress';
    };
    /** @description A problem of status 409. */
    ConflictBackupsUnavailableStateConflictOperationInProgressProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'backups_unavailable'
        | 'state_conflict'
        | 'operation_in_progress';
    };
    /** @description A problem of status 400. */
    BadRequestPathIdBodyExternalIdNotOwnProblem: components['schemas']['Problem'] & {
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
        | 'external_id_not_own';
    };
    /** @description A problem of status 409. */
    ConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'idempotency_key_reused' | 'idempotent_request_in_progress' | 'idempotent_answer_lost';
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
    BadRequestPathIdBodyCidrOverlapProblem: components['schemas']['Problem'] & {
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
        | 'cidr_overlap';
    };
    /** @description A problem of status 409. */
    ConflictManagedOnlyCloudMismatchStateConflictLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'managed_only'
        | 'cloud_mismatch'
        | 'state_conflict'
        | 'limit_reached';
    };
    /** @description A problem of status 409. */
    ConflictNameTakenManagedOnlyCloudMismatchStateConflictLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'name_taken'
        | 'managed_only'
        | 'cloud_mismatch'
        | 'state_conflict'
        | 'limit_reached';
    };
    /** @description A problem of status 409. */
    ConflictConfigIsPrimaryStateConflictProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'config_is_primary' | 'state_conflict';
    };
    /** @description A problem of status 409. */
    ConflictRotationRequiresStandaloneStateConflictOperationInProgressLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'rotation_requires_standalone'
        | 'state_conflict'
        | 'operation_in_progress'
        | 'limit_reached';
    };
    /** @description A problem of status 409. */
    ConflictStateConflictOperationInProgressLimitReachedProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?:
        | 'idempotency_key_reused'
        | 'idempotent_request_in_progress'
        | 'idempotent_answer_lost'
        | 'state_conflict'
        | 'operation_in_progress'
        | 'limit_reached';
    };
    /** @description A problem of status 400. */
    BadRequestProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'invalid_request' | 'unknown_parameter';
    };
    /** @description A problem of status 403. */
    LinkInvalidProblem: components['schemas']['Problem'] & {
      /** @enum {string} */
      code?: 'link_invalid';
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
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `name_taken`: Another resource already has this name.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictNameTakenStateConflictLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictNameTakenStateConflictLimitReachedProblem'];
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
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `backups_unavailable`: There are backups of deployments in cloud_a on network storage only, in regions that keep them.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `operation_in_progress`: Another operation of this kind is going on; wait for its end.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictBackupsUnavailableStateConflictOperationInProgressLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictBackupsUnavailableStateConflictOperationInProgressLimitReachedProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `backups_unavailable`: There are backups of deployments in cloud_a on network storage only, in regions that keep them.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     */
    ConflictBackupsUnavailableLimitReachedStateConflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictBackupsUnavailableLimitReachedStateConflictProblem'];
      };
    };
    /**
     * @description `backup_in_progress`: The backup has not ended yet; delete it then.
     *
     *     `operation_in_progress`: Another operation of this kind is going on; wait for its end.
     */
    ConflictBackupInProgressOperationInProgress: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictBackupInProgressOperationInProgressProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `backups_unavailable`: There are backups of deployments in cloud_a on network storage only, in regions that keep them.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `operation_in_progress`: Another operation of this kind is going on; wait for its end.
     */
    ConflictBackupsUnavailableStateConflictOperationInProgress: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictBackupsUnavailableStateConflictOperationInProgressProblem'];
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
     *     `external_id_not_own`: The external id is not the tenant's own: take the one that the setup tells.
     */
    BadRequestPathIdBodyExternalIdNotOwn: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyExternalIdNotOwnProblem'];
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
     *     `unknown_field`: The body has a field that this operation does not know.
     *
     *     `body_required`: This operation needs a JSON body.
     *
     *     `body_too_complex`: The body is nested too deeply or has too many values.
     *
     *     `malformed_json`: The body is not valid JSON in UTF-8.
     *
     *     `cidr_overlap`: The block overlaps the deployment's subnet or the block of another peering of it.
     */
    BadRequestPathIdBodyCidrOverlap: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['BadRequestPathIdBodyCidrOverlapProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `managed_only`: Deployments in cloud accounts of tenants are connected there, by their owners.
     *
     *     `cloud_mismatch`: The deployment is on the other cloud.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictManagedOnlyCloudMismatchStateConflictLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictManagedOnlyCloudMismatchStateConflictLimitReachedProblem'];
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
     *     `managed_only`: Deployments in cloud accounts of tenants are connected there, by their owners.
     *
     *     `cloud_mismatch`: The deployment is on the other cloud.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictNameTakenManagedOnlyCloudMismatchStateConflictLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictNameTakenManagedOnlyCloudMismatchStateConflictLimitReachedProblem'];
      };
    };
    /**
     * @description `config_is_primary`: The primary configuration cannot be deleted; activate another one first.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     */
    ConflictConfigIsPrimaryStateConflict: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictConfigIsPrimaryStateConflictProblem'];
      };
    };
    /**
     * @description `idempotency_key_reused`: The Idempotency-Key was used for another request.
     *
     *     `idempotent_request_in_progress`: The first request with this Idempotency-Key is still running.
     *
     *     `idempotent_answer_lost`: The first request with this Idempotency-Key has taken effect, but its answer was lost. Read the resource.
     *
     *     `rotation_requires_standalone`: The key for the stored data of a cluster cannot be rotated.
     *
     *     `state_conflict`: The resource is in a state that does not allow this.
     *
     *     `operation_in_progress`: Another operation of this kind is going on; wait for its end.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictRotationRequiresStandaloneStateConflictOperationInProgressLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictRotationRequiresStandaloneStateConflictOperationInProgressLimitReachedProblem'];
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
     *     `operation_in_progress`: Another operation of this kind is going on; wait for its end.
     *
     *     `limit_reached`: A limit of the tenant's plan is reached.
     */
    ConflictStateConflictOperationInProgressLimitReached: {
      headers: {
        'svc-request': components['headers']['svc-request'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'idempotent-replayed': components['headers']['idempotent-replayed'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ConflictStateConflictOperationInProgressLimitReachedProblem'];
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
    /** @description an access rule of the deployment */
    AccessRuleId: components['schemas']['AccessRuleId'];
    /** @description a backup of the deployment */
    BackupId: components['schemas']['BackupId'];
    /** @description a service attachment of the deployment */
    AttachmentId: components['schemas']['NetworkLinkId'];
    /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
    ConfigKind: string;
    /** @description the name of a configuration */
    ConfigName: string;
    /** @description the number of a version, counted from 1 */
    ConfigVersion: string;
    /** @description a version of a configuration */
    ConfigId: components['schemas']['ConfigId'];
    /** @description only those that need it, or only those that do not */
    NeedsRevalidation: boolean;
    /** @description an instance of a connector of the deployment */
    ConnectorInstanceId: components['schemas']['ConnectorInstanceId'];
    /** @description a peering of the deployment */
    PeeringId: components['schemas']['NetworkLinkId'];
    /** @description a snapshot of a node of the deployment */
    SnapshotId: components['schemas']['SnapshotId'];
    /** @description a node of the deployment */
    WatchedNodeId: components['schemas']['NodeId'];
    /** @description what is watched */
    WatchedRuntime: components['schemas']['TelemetryRuntime'];
    /** @description only of this */
    TelemetryRuntime: components['schemas']['TelemetryRuntime'];
    /** @description only of this node */
    TelemetryNode: components['schemas']['NodeId'];
    /** @description the earliest time that is listed */
    TelemetryFrom: components['schemas']['DateOrTime'];
    /** @description the time from which on nothing is listed; now when absent */
    TelemetryTo: components['schemas']['DateOrTime'];
    /** @description only lines of this level */
    LogLevel: components['schemas']['LogLevel'];
    /** @description only lines that have this in their message, in whichever case */
    LogMessage: string;
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
    /** @description the id of the rule */
    'svc-access-rule': components['schemas']['AccessRuleId'];
    /** @description the id of the task */
    'svc-task': components['schemas']['TaskId'];
    /** @description the id of the backup */
    'svc-backup': components['schemas']['BackupId'];
    /** @description the id of the endpoint service */
    'svc-private-link': components['schemas']['NetworkLinkId'];
    /** @description the id of the attachment */
    'svc-private-service': components['schemas']['NetworkLinkId'];
    /** @description the id of the version */
    'svc-config': components['schemas']['ConfigId'];
    /** @description the id of the peering */
    'svc-vpc-peering': components['schemas']['NetworkLinkId'];
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAccessRules: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all rules of the deployment */
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
           *         "id": 15,
           *         "name": "office",
           *         "remarks": null,
           *         "rules": {
           *           "broker_http": false,
           *           "broker_tcp": true,
           *           "broker_websocket": false,
           *           "broker_udp": false
           *         },
           *         "cidr_blocks": [
           *           "192.0.2.0/24"
           *         ],
           *         "valid_to": null,
           *         "created_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['AccessRule'][];
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
  createAccessRule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "name": "office",
         *       "cidr_blocks": [
         *         "192.0.2.0/24"
         *       ],
         *       "rules": {
         *         "broker_http": false,
         *         "broker_tcp": true,
         *         "broker_websocket": false,
         *         "broker_udp": false
         *       }
         *     }
         */
        'application/json': components['schemas']['NewAccessRule'];
      };
    };
    responses: {
      /** @description the rule */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-access-rule': components['headers']['svc-access-rule'];
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
           *       "id": 15,
           *       "name": "office",
           *       "remarks": null,
           *       "rules": {
           *         "broker_http": false,
           *         "broker_tcp": true,
           *         "broker_websocket": false,
           *         "broker_udp": false
           *       },
           *       "cidr_blocks": [
           *         "192.0.2.0/24"
           *       ],
           *       "valid_to": null,
           *       "created_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['AccessRule'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getAccessRule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description an access rule of the deployment */
        rule_id: components['parameters']['AccessRuleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the rule */
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
           *       "id": 15,
           *       "name": "office",
           *       "remarks": null,
           *       "rules": {
           *         "broker_http": false,
           *         "broker_tcp": true,
           *         "broker_websocket": false,
           *         "broker_udp": false
           *       },
           *       "cidr_blocks": [
           *         "192.0.2.0/24"
           *       ],
           *       "valid_to": null,
           *       "created_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['AccessRule'];
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
  deleteAccessRule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description an access rule of the deployment */
        rule_id: components['parameters']['AccessRuleId'];
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
      409: components['responses']['StateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  createActivity: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description what it is about */
        runtime: components['schemas']['TaskRuntime'];
        /** @description `start`, `stop`, `restart`, or `reconfigure:` with the id of a configuration. Whoever starts what runs, or stops what is stopped, has it done at once. A restart starts what is stopped. */
        action: string;
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody?: {
      content: {
        /**
         * @example {
         *       "nodes": [
         *         90
         *       ]
         *     }
         */
        'application/json': components['schemas']['NewActivity'];
      };
    };
    responses: {
      /** @description the entries, one per node */
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
           * @example [
           *       {
           *         "id": 42,
           *         "tenant_id": 1,
           *         "division_id": 1,
           *         "environment_id": 1,
           *         "deployment_id": 77,
           *         "author_id": 5,
           *         "runtime": "broker",
           *         "action": "restart",
           *         "node_id": 90,
           *         "status": "processing",
           *         "reason": null,
           *         "created_at": "2026-03-14T09:26:53.589Z",
           *         "finished_at": null
           *       }
           *     ]
           */
          'application/json': components['schemas']['Activity'][];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listActivities: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of activities */
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
           *           "id": 42,
           *           "tenant_id": 1,
           *           "division_id": 1,
           *           "environment_id": 1,
           *           "deployment_id": 77,
           *           "author_id": 5,
           *           "runtime": "broker",
           *           "action": "restart",
           *           "node_id": 90,
           *           "status": "processing",
           *           "reason": null,
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "finished_at": null
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['ActivityPage'];
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
  listTasks: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the newest tasks */
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
           *         "id": 42,
           *         "type": "broker:reconfigure",
           *         "runtime": "broker",
           *         "node_id": 90,
           *         "status": "failed",
           *         "error": "the configuration is refused: BROKER_MESSAGE_MAX_SIZE has to be at most 67108864",
           *         "author_id": 5,
           *         "created_at": "2026-03-14T09:26:53.589Z",
           *         "started_at": "2026-03-14T09:26:53.601Z",
           *         "finished_at": "2026-03-14T09:26:54.117Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Task'][];
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
  createTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "type": "broker:reconfigure"
         *     }
         */
        'application/json': components['schemas']['NewTask'];
      };
    };
    responses: {
      /** @description the task of the first node */
      202: {
        headers: {
          Location: components['headers']['Location'];
          'svc-task': components['headers']['svc-task'];
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
           *       "id": 42,
           *       "type": "broker:reconfigure",
           *       "runtime": "broker",
           *       "node_id": 90,
           *       "status": "failed",
           *       "error": "the configuration is refused: BROKER_MESSAGE_MAX_SIZE has to be at most 67108864",
           *       "author_id": 5,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "started_at": "2026-03-14T09:26:53.601Z",
           *       "finished_at": "2026-03-14T09:26:54.117Z"
           *     }
           */
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a task of the deployment */
        task_id: components['schemas']['TaskId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the task */
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
           *       "id": 42,
           *       "type": "broker:reconfigure",
           *       "runtime": "broker",
           *       "node_id": 90,
           *       "status": "failed",
           *       "error": "the configuration is refused: BROKER_MESSAGE_MAX_SIZE has to be at most 67108864",
           *       "author_id": 5,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "started_at": "2026-03-14T09:26:53.601Z",
           *       "finished_at": "2026-03-14T09:26:54.117Z"
           *     }
           */
          'application/json': components['schemas']['Task'];
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
  listBackups: {
    parameters: {
      query?: {
        /** @description only those of this type */
        backup_type?: components['schemas']['BackupType'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all backups of the deployment, or those of the type */
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
           *         "id": 12,
           *         "deployment_id": 77,
           *         "node_id": null,
           *         "name": "before the migration",
           *         "backup_type": "manual",
           *         "status": "completed",
           *         "error": null,
           *         "snapshot_ids": [
           *           "12-90"
           *         ],
           *         "volume_ids": [
           *           "90"
           *         ],
           *         "size_bytes": 73400320,
           *         "region": "us-east-1",
           *         "remarks": null,
           *         "started_at": "2026-03-14T09:26:53.601Z",
           *         "completed_at": "2026-03-14T09:26:55.117Z",
           *         "expires_at": "2026-04-13T09:26:53.589Z",
           *         "created_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Backup'][];
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
  createBackup: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "name": "before the migration",
         *       "remarks": "as agreed with payments",
         *       "expires_in_days": 14
         *     }
         */
        'application/json': components['schemas']['NewBackup'];
      };
    };
    responses: {
      /** @description the backup has begun */
      204: {
        headers: {
          Location: components['headers']['Location'];
          'svc-backup': components['headers']['svc-backup'];
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
      409: components['responses']['ConflictBackupsUnavailableStateConflictOperationInProgressLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getBackupSchedule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the schedule */
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
           *       "enabled": true,
           *       "cron": "30 2 * * 1-5",
           *       "keep": 5,
           *       "next_at": "2026-03-16T02:30:00.000Z"
           *     }
           */
          'application/json': components['schemas']['BackupSchedule'];
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
  setBackupSchedule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "enabled": true,
         *       "cron": "30 2 * * 1-5",
         *       "keep": 5
         *     }
         */
        'application/json': components['schemas']['NewBackupSchedule'];
      };
    };
    responses: {
      /** @description the schedule is in force */
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
      409: components['responses']['ConflictBackupsUnavailableLimitReachedStateConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a backup of the deployment */
        backup_id: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the backup */
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
           *       "deployment_id": 77,
           *       "node_id": null,
           *       "name": "before the migration",
           *       "backup_type": "manual",
           *       "status": "completed",
           *       "error": null,
           *       "snapshot_ids": [
           *         "12-90"
           *       ],
           *       "volume_ids": [
           *         "90"
           *       ],
           *       "size_bytes": 73400320,
           *       "region": "us-east-1",
           *       "remarks": null,
           *       "started_at": "2026-03-14T09:26:53.601Z",
           *       "completed_at": "2026-03-14T09:26:55.117Z",
           *       "expires_at": "2026-04-13T09:26:53.589Z",
           *       "created_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Backup'];
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
  deleteBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a backup of the deployment */
        backup_id: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description it is being deleted */
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
      409: components['responses']['ConflictBackupInProgressOperationInProgress'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  restoreBackup: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a backup of the deployment */
        backup_id: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the restore has begun */
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
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictBackupsUnavailableStateConflictOperationInProgress'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  validateCloudAccess: {
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
         *       "account_id": "123456789012",
         *       "identity_arn": "arn:cloud_a:iam::123456789012:role/sluice",
         *       "external_id": "3f0a5c4e-6d0b-4a57-9b8e-0d3d4f1f2a6b",
         *       "vpc_id": "vpc-0a1b2c3d"
         *     }
         */
        'application/json': components['schemas']['CloudAccessInput'];
      };
    };
    responses: {
      /** @description what is wrong, if anything is */
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
           *       "valid": false,
           *       "error": "identity_arn is a role of another account than account_id",
           *       "unchecked": []
           *     }
           */
          'application/json': components['schemas']['CloudAccessCheck'];
        };
      };
      400: components['responses']['BadRequestPathIdBodyExternalIdNotOwn'];
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
  createNodeEnrolment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['schemas']['NodeId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the command */
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
           *       "command": "curl -fsS https://us-east-1.supervisor.acme.example/agent/v1/enrol.sh -o sluice-enrol.sh && …",
           *       "platform": "linux-x64",
           *       "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *       "expires_at": "2026-03-14T10:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['NodeEnrolment'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictStateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getCertificates: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the certificate */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Certificates'];
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
  rotateCertificates: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictStateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  rotateCredentials: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
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
        'application/json': components['schemas']['LoginRotation'];
      };
    };
    responses: {
      /** @description accepted */
      202: {
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
      409: components['responses']['ConflictStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listCloudAPeerings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all peerings; none for a deployment on another cloud */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudAPeering'][];
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
  createCloudAPeering: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "name": "office",
         *       "peer_vpc_id": "vpc-0a1b2c3d4e5f60718",
         *       "peer_owner_id": "123456789012",
         *       "peer_vpc_cidr": "172.16.0.0/16"
         *     }
         */
        'application/json': components['schemas']['NewCloudAPeering'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          Location: components['headers']['Location'];
          'svc-vpc-peering': components['headers']['svc-vpc-peering'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBodyCidrOverlap'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictManagedOnlyCloudMismatchStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteCloudAPeering: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description noted */
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
  getCloudAPeeringInstructions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the instructions */
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
           *       "status": "inactive",
           *       "title": "Make the peering on your side",
           *       "steps": [
           *         {
           *           "title": "Accept the peering",
           *           "text": "The connection comes about once the request is accepted.",
           *           "command": "cloud_a ec2 accept-vpc-peering-connection --vpc-peering-connection-id pcx-1"
           *         }
           *       ],
           *       "values": {
           *         "peering_connection_id": "pcx-1"
           *       }
           *     }
           */
          'application/json': components['schemas']['NetworkInstructions'];
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
  listEndpointServices: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all endpoint services; none for a deployment on another cloud */
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
           *         "name": "partners",
           *         "vpc_endpoint_service_id": "vpce-svc-0a1b2c3d4e5f60718",
           *         "service_name": "com.cloud_a.vpce.us-east-1.vpce-svc-0a1b2c3d4e5f60718",
           *         "acceptance_required": true,
           *         "allowed_principals": [],
           *         "state": "available",
           *         "status_reason": null,
           *         "remarks": null,
           *         "created_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['EndpointService'][];
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
  createEndpointService: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "name": "partners",
         *       "allowed_principals": [
         *         "123456789012"
         *       ]
         *     }
         */
        'application/json': components['schemas']['NewEndpointService'];
      };
    };
    responses: {
      /** @description the endpoint service */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-private-link': components['headers']['svc-private-link'];
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
           *       "name": "partners",
           *       "vpc_endpoint_service_id": "vpce-svc-0a1b2c3d4e5f60718",
           *       "service_name": "com.cloud_a.vpce.us-east-1.vpce-svc-0a1b2c3d4e5f60718",
           *       "acceptance_required": true,
           *       "allowed_principals": [],
           *       "state": "available",
           *       "status_reason": null,
           *       "remarks": null,
           *       "created_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['EndpointService'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictNameTakenManagedOnlyCloudMismatchStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteEndpointService: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description an endpoint service of the deployment */
        service_id: components['schemas']['NetworkLinkId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description noted */
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
  listCloudBPeerings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all peerings; none for a deployment on another cloud */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudBPeering'][];
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
  createCloudBPeering: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "name": "office",
         *       "peer_vpc_name": "default",
         *       "peer_project_id": "acme-streaming",
         *       "peer_vpc_cidr": "172.16.0.0/16"
         *     }
         */
        'application/json': components['schemas']['NewCloudBPeering'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          Location: components['headers']['Location'];
          'svc-vpc-peering': components['headers']['svc-vpc-peering'];
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathIdBodyCidrOverlap'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWriteFeatureNotAvailable'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictManagedOnlyCloudMismatchStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteCloudBPeering: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description noted */
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
  getCloudBPeeringInstructions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a peering of the deployment */
        peering_id: components['parameters']['PeeringId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the instructions */
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
           *       "status": "inactive",
           *       "title": "Make the peering on your side",
           *       "steps": [
           *         {
           *           "title": "Accept the peering",
           *           "text": "The connection comes about once the request is accepted.",
           *           "command": "cloud_a ec2 accept-vpc-peering-connection --vpc-peering-connection-id pcx-1"
           *         }
           *       ],
           *       "values": {
           *         "peering_connection_id": "pcx-1"
           *       }
           *     }
           */
          'application/json': components['schemas']['NetworkInstructions'];
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
  listServiceAttachments: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all attachments; none for a deployment on another cloud */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ServiceAttachment'][];
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
  createServiceAttachment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
         *       "name": "partners",
         *       "connection_preference": "accept_manual",
         *       "consumer_accept_lists": [
         *         "acme-streaming"
         *       ]
         *     }
         */
        'application/json': components['schemas']['NewServiceAttachment'];
      };
    };
    responses: {
      /** @description noted */
      204: {
        headers: {
          Location: components['headers']['Location'];
          'svc-private-service': components['headers']['svc-private-service'];
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
      409: components['responses']['ConflictNameTakenManagedOnlyCloudMismatchStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteServiceAttachment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a service attachment of the deployment */
        attachment_id: components['parameters']['AttachmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description noted */
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
  getServiceAttachmentInstructions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a service attachment of the deployment */
        attachment_id: components['parameters']['AttachmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the instructions */
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
           *       "status": "inactive",
           *       "title": "Make the peering on your side",
           *       "steps": [
           *         {
           *           "title": "Accept the peering",
           *           "text": "The connection comes about once the request is accepted.",
           *           "command": "cloud_a ec2 accept-vpc-peering-connection --vpc-peering-connection-id pcx-1"
           *         }
           *       ],
           *       "values": {
           *         "peering_connection_id": "pcx-1"
           *       }
           *     }
           */
          'application/json': components['schemas']['NetworkInstructions'];
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
  listAttachmentConnections: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a service attachment of the deployment */
        attachment_id: components['parameters']['AttachmentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the connections */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AttachmentConnection'][];
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
  listConfigs: {
    parameters: {
      query?: {
        /** @description only those that need it, or only those that do not */
        needs_revalidation?: components['parameters']['NeedsRevalidation'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description by kind and name, newest first */
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
           *         "id": 31,
           *         "kind": "broker",
           *         "name": "broker",
           *         "version": 2,
           *         "values": {
           *           "BROKER_MESSAGE_MAX_SIZE": "2MiB",
           *           "BROKER_TCP_MAX_PINGS": 3
           *         },
           *         "primary": true,
           *         "in_force": false,
           *         "runtime_version": "2.10.27",
           *         "needs_revalidation": false,
           *         "author_id": 5,
           *         "rejection": null,
           *         "created_at": "2026-03-14T09:26:53.589Z",
           *         "activated_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Config'][];
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
  listConfigsOfKind: {
    parameters: {
      query?: {
        /** @description only those that need it, or only those that do not */
        needs_revalidation?: components['parameters']['NeedsRevalidation'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description by name, newest first */
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
           *         "id": 31,
           *         "kind": "broker",
           *         "name": "broker",
           *         "version": 2,
           *         "values": {
           *           "BROKER_MESSAGE_MAX_SIZE": "2MiB",
           *           "BROKER_TCP_MAX_PINGS": 3
           *         },
           *         "primary": true,
           *         "in_force": false,
           *         "runtime_version": "2.10.27",
           *         "needs_revalidation": false,
           *         "author_id": 5,
           *         "rejection": null,
           *         "created_at": "2026-03-14T09:26:53.589Z",
           *         "activated_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Config'][];
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
  createConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "values": {
         *         "BROKER_MESSAGE_MAX_SIZE": "2MiB",
         *         "BROKER_TCP_MAX_PINGS": 3
         *       },
         *       "activate": true
         *     }
         */
        'application/json': components['schemas']['NewConfig'];
      };
    };
    responses: {
      /** @description the version */
      201: {
        headers: {
          Location: components['headers']['Location'];
          'svc-config': components['headers']['svc-config'];
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
           *       "kind": "broker",
           *       "name": "broker",
           *       "version": 2,
           *       "values": {
           *         "BROKER_MESSAGE_MAX_SIZE": "2MiB",
           *         "BROKER_TCP_MAX_PINGS": 3
           *       },
           *       "primary": true,
           *       "in_force": false,
           *       "runtime_version": "2.10.27",
           *       "needs_revalidation": false,
           *       "author_id": 5,
           *       "rejection": null,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "activated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Config'];
        };
      };
      400: components['responses']['BadRequestPathIdBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['ConflictStateConflictLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getConfigSchema: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description by the section's key */
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
           *       "message": {
           *         "name": "Messages",
           *         "description": "What a single message may be",
           *         "schema": [
           *           {
           *             "key": "BROKER_MESSAGE_MAX_SIZE",
           *             "name": "Largest message",
           *             "description": "The most bytes of one message",
           *             "default_value": "1MiB",
           *             "kind": "size",
           *             "editable": true,
           *             "secret": false,
           *             "requirements": [],
           *             "rules": [
           *               {
           *                 "rule": "max",
           *                 "value": 67108864
           *               }
           *             ]
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['ConfigSchema'];
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
  getPrimaryConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the version */
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
           *       "kind": "broker",
           *       "name": "broker",
           *       "version": 2,
           *       "values": {
           *         "BROKER_MESSAGE_MAX_SIZE": "2MiB",
           *         "BROKER_TCP_MAX_PINGS": 3
           *       },
           *       "primary": true,
           *       "in_force": false,
           *       "runtime_version": "2.10.27",
           *       "needs_revalidation": false,
           *       "author_id": 5,
           *       "rejection": null,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "activated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Config'];
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
  getConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description a version of a configuration */
        config_id: components['parameters']['ConfigId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the version */
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
           *       "kind": "broker",
           *       "name": "broker",
           *       "version": 2,
           *       "values": {
           *         "BROKER_MESSAGE_MAX_SIZE": "2MiB",
           *         "BROKER_TCP_MAX_PINGS": 3
           *       },
           *       "primary": true,
           *       "in_force": false,
           *       "runtime_version": "2.10.27",
           *       "needs_revalidation": false,
           *       "author_id": 5,
           *       "rejection": null,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "activated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Config'];
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
  deleteConfig: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description a version of a configuration */
        config_id: components['parameters']['ConfigId'];
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
      409: components['responses']['ConflictConfigIsPrimaryStateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listConfigVersions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description the name of a configuration */
        config_name: components['parameters']['ConfigName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all versions of the name */
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
           *         "id": 31,
           *         "kind": "broker",
           *         "name": "broker",
           *         "version": 2,
           *         "values": {
           *           "BROKER_MESSAGE_MAX_SIZE": "2MiB",
           *           "BROKER_TCP_MAX_PINGS": 3
           *         },
           *         "primary": true,
           *         "in_force": false,
           *         "runtime_version": "2.10.27",
           *         "needs_revalidation": false,
           *         "author_id": 5,
           *         "rejection": null,
           *         "created_at": "2026-03-14T09:26:53.589Z",
           *         "activated_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Config'][];
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
  getConfigVersion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description the name of a configuration */
        config_name: components['parameters']['ConfigName'];
        /** @description the number of a version, counted from 1 */
        version: components['parameters']['ConfigVersion'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the version */
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
           *       "kind": "broker",
           *       "name": "broker",
           *       "version": 2,
           *       "values": {
           *         "BROKER_MESSAGE_MAX_SIZE": "2MiB",
           *         "BROKER_TCP_MAX_PINGS": 3
           *       },
           *       "primary": true,
           *       "in_force": false,
           *       "runtime_version": "2.10.27",
           *       "needs_revalidation": false,
           *       "author_id": 5,
           *       "rejection": null,
           *       "created_at": "2026-03-14T09:26:53.589Z",
           *       "activated_at": "2026-03-14T09:26:53.589Z"
           *     }
           */
          'application/json': components['schemas']['Config'];
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
  activateConfig: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description `broker`, or `connector:{sink|source}:{key}`; what names nothing is 404 */
        config_kind: components['parameters']['ConfigKind'];
        /** @description the name of a configuration */
        config_name: components['parameters']['ConfigName'];
        /** @description the number of a version, counted from 1 */
        version: components['parameters']['ConfigVersion'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description activated */
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
      409: components['responses']['ConflictStateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  listConnectorInstances: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description all instances of the deployment */
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
           *         "deployment_id": 77,
           *         "connector_type": "sink",
           *         "connector_key": "postgres",
           *         "name": "Orders",
           *         "key": "orders",
           *         "status": "active",
           *         "status_reason": null,
           *         "created_at": "2026-03-14T09:26:53.589Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['ConnectorInstance'][];
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
  deleteConnectorInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description an instance of a connector of the deployment */
        instance_id: components['parameters']['ConnectorInstanceId'];
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
      409: components['responses']['StateConflict'];
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
          'application/json': components['schemas']['LiveDeployment'];
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
  getCredentials: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the credentials */
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
           *       "username": "user-k7q2ma-x41bcd",
           *       "password": "6mUaVjg3xQpR0sT8wYzB1cD4eF5gH7iJ",
           *       "former": [
           *         {
           *           "username": "user-k7q2ma",
           *           "valid_until": "2026-03-14T10:26:53.589Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DeploymentCredentials'];
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
  retryDeployment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description accepted; the status tells how far it is */
      202: {
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
      409: components['responses']['ConflictStateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  acceptDataLoss: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['schemas']['NodeId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description accepted; the status tells how far it is */
      202: {
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
      409: components['responses']['ConflictStateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  rotateEncryptionKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
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
          'idempotent-replayed': components['headers']['idempotent-replayed'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlaceWrite'];
      404: components['responses']['NotFound'];
      409: components['responses']['ConflictRotationRequiresStandaloneStateConflictOperationInProgressLimitReached'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getNetworkInfo: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the current network configuration */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkInfo'];
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
  listSnapshots: {
    parameters: {
      query?: {
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description a page of snapshots */
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
           *           "division_id": 1,
           *           "environment_id": 1,
           *           "deployment_id": 77,
           *           "node_id": 90,
           *           "deployment_name": "grand-gull-1a",
           *           "name": "2026-03-14T09-26-53Z node-1",
           *           "status": "completed",
           *           "created_at": "2026-03-14T09:26:53.589Z",
           *           "completed_at": "2026-03-14T09:26:55.102Z"
           *         }
           *       ],
           *       "page": 1,
           *       "total_results": 1,
           *       "total_pages": 1
           *     }
           */
          'application/json': components['schemas']['SnapshotPage'];
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
  createSnapshot: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to send a request of an API key again: for ten minutes, requests with the same key have their effect once and are all given the first one's answer. A UUID, for example. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    /** @description JSON of up to 1 MiB. */
    requestBody?: {
      content: {
        /**
         * @example {
         *       "redact_secrets": true,
         *       "include_broker": false
         *     }
         */
        'application/json': components['schemas']['NewSnapshot'];
      };
    };
    responses: {
      /** @description the nodes are being examined */
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
      409: components['responses']['ConflictStateConflictOperationInProgressLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  deleteSnapshot: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a snapshot of a node of the deployment */
        snapshot_id: components['parameters']['SnapshotId'];
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
      409: components['responses']['StateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getSnapshotDownload: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a snapshot of a node of the deployment */
        snapshot_id: components['parameters']['SnapshotId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the link */
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
           *       "url": "https://us-east-1.example.com/snapshots/archive?token=eyJhbGciOiJkaXIi",
           *       "includes_broker_data": true
           *     }
           */
          'application/json': components['schemas']['SnapshotDownload'];
        };
      };
      400: components['responses']['BadRequestPathId'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenPlace'];
      404: components['responses']['NotFound'];
      409: components['responses']['StateConflict'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getSnapshotArchive: {
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
      /** @description the ZIP */
      200: {
        headers: {
          /** @description a name for the file */
          'content-disposition'?: string;
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/zip': string;
        };
      };
      400: components['responses']['BadRequest'];
      403: components['responses']['LinkInvalid'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['Unavailable'];
      504: components['responses']['DeadlineExceeded'];
      default: components['responses']['Problem'];
    };
  };
  getTenantSummary: {
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
           *       "healthy_deployments": 2,
           *       "unhealthy_deployments": 0,
           *       "healthy_nodes": 2,
           *       "unhealthy_nodes": 0,
           *       "total_connectors": 0,
           *       "total_streams": 3,
           *       "total_topics": 11,
           *       "total_partitions": 11,
           *       "total_segments": 14,
           *       "total_messages": 120934,
           *       "total_consumer_groups": 4,
           *       "total_clients": 9
           *     }
           */
          'application/json': components['schemas']['RegionSummary'];
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
  getDivisionSummary: {
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
           *       "healthy_deployments": 2,
           *       "unhealthy_deployments": 0,
           *       "healthy_nodes": 2,
           *       "unhealthy_nodes": 0,
           *       "total_connectors": 0,
           *       "total_streams": 3,
           *       "total_topics": 11,
           *       "total_partitions": 11,
           *       "total_segments": 14,
           *       "total_messages": 120934,
           *       "total_consumer_groups": 4,
           *       "total_clients": 9
           *     }
           */
          'application/json': components['schemas']['RegionSummary'];
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
  listMetrics: {
    parameters: {
      query?: {
        /** @description only of this */
        runtime?: components['parameters']['TelemetryRuntime'];
        /** @description only of this node */
        node?: components['parameters']['TelemetryNode'];
        /** @description the earliest time that is listed */
        from?: components['parameters']['TelemetryFrom'];
        /** @description the time from which on nothing is listed; now when absent */
        to?: components['parameters']['TelemetryTo'];
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description one page of measurements */
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
          'application/json': components['schemas']['MeasurementPage'];
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
  scrapeMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the metrics */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
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
  listHeartbeats: {
    parameters: {
      query?: {
        /** @description only of this */
        runtime?: components['parameters']['TelemetryRuntime'];
        /** @description only of this node */
        node?: components['parameters']['TelemetryNode'];
        /** @description the earliest time that is listed */
        from?: components['parameters']['TelemetryFrom'];
        /** @description the time from which on nothing is listed; now when absent */
        to?: components['parameters']['TelemetryTo'];
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description one page of heartbeats */
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
          'application/json': components['schemas']['RuntimeHeartbeatPage'];
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
  listLogLines: {
    parameters: {
      query?: {
        /** @description only of this */
        runtime?: components['parameters']['TelemetryRuntime'];
        /** @description only of this node */
        node?: components['parameters']['TelemetryNode'];
        /** @description only lines of this level */
        level?: components['parameters']['LogLevel'];
        /** @description only lines that have this in their message, in whichever case */
        message?: components['parameters']['LogMessage'];
        /** @description the earliest time that is listed */
        from?: components['parameters']['TelemetryFrom'];
        /** @description the time from which on nothing is listed; now when absent */
        to?: components['parameters']['TelemetryTo'];
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description one page of lines */
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
          'application/json': components['schemas']['StoredLinePage'];
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
  streamLogLines: {
    parameters: {
      query?: {
        /** @description only of this */
        runtime?: components['parameters']['TelemetryRuntime'];
        /** @description only of this node */
        node?: components['parameters']['TelemetryNode'];
        /** @description only lines of this level */
        level?: components['parameters']['LogLevel'];
        /** @description only lines that have this in their message, in whichever case */
        message?: components['parameters']['LogMessage'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description the lines as they come */
      200: {
        headers: {
          'svc-request': components['headers']['svc-request'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
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
  listNodeMetrics: {
    parameters: {
      query?: {
        /** @description the earliest time that is listed */
        from?: components['parameters']['TelemetryFrom'];
        /** @description the time from which on nothing is listed; now when absent */
        to?: components['parameters']['TelemetryTo'];
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['parameters']['WatchedNodeId'];
        /** @description what is watched */
        runtime: components['parameters']['WatchedRuntime'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description one page of measurements */
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
          'application/json': components['schemas']['MeasurementPage'];
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
  listNodeHeartbeats: {
    parameters: {
      query?: {
        /** @description the earliest time that is listed */
        from?: components['parameters']['TelemetryFrom'];
        /** @description the time from which on nothing is listed; now when absent */
        to?: components['parameters']['TelemetryTo'];
        /** @description the page, counted from 1; a page past the end is empty */
        page?: components['parameters']['Page'];
        /** @description entries per page */
        results?: components['parameters']['Results'];
      };
      header?: never;
      path: {
        /** @description the deployment */
        deployment_id: components['parameters']['DeploymentId'];
        /** @description a node of the deployment */
        node_id: components['parameters']['WatchedNodeId'];
        /** @description what is watched */
        runtime: components['parameters']['WatchedRuntime'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description one page of heartbeats */
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
          'application/json': components['schemas']['RuntimeHeartbeatPage'];
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
}
