import type { components } from './generated/agent-api.ts';

export type { operations as AgentOperations } from './generated/agent-api.ts';

/** The folder of the document, for the service that serves it. */
export const agentApiFolder = new URL('../openapi/', import.meta.url);

/** What a node agent and its supervisor exchange; the document is `openapi/agent.yaml`. */
type Schemas = components['schemas'];

export type Enrolment = Schemas['Enrolment'];
export type Machine = Schemas['Machine'];
export type AgentIdentity = Schemas['AgentIdentity'];
export type DesiredState = Schemas['DesiredState'];
export type GatewayRule = Schemas['GatewayRule'];
export type Heartbeat = Schemas['Heartbeat'];
export type BrokerStatistics = Schemas['BrokerStatistics'];
export type ReportedCluster = Schemas['ReportedCluster'];
export type DesiredCluster = Schemas['DesiredCluster'];
export type ClusterRoute = Schemas['ClusterRoute'];
export type AppliedState = Schemas['AppliedState'];
export type BrokerCapacity = Schemas['BrokerCapacity'];
export type TelemetryBatch = Schemas['TelemetryBatch'];
export type StreamReport = Schemas['StreamReport'];
export type ReportedStream = Schemas['ReportedStream'];
export type ReportedConsumer = Schemas['ReportedConsumer'];
export type Sample = Schemas['Sample'];
export type LogLine = Schemas['LogLine'];
export type LogLevel = Schemas['LogLevel'];
export type TelemetryRuntime = Schemas['TelemetryRuntime'];
export type RuntimeStatus = Schemas['RuntimeStatus'];
export type InstanceRunStatus = Schemas['InstanceRunStatus'];
export type NodeTask = Schemas['NodeTask'];
export type TaskResult = Schemas['TaskResult'];
export type WantedSnapshot = Schemas['WantedSnapshot'];
export type SnapshotFindings = Schemas['SnapshotFindings'];
export type SnapshotArchivePiece = Schemas['SnapshotArchivePiece'];
export type SnapshotCheck = Schemas['SnapshotCheck'];
export type TaskRuntime = Schemas['TaskRuntime'];
export type TaskAction = Schemas['TaskAction'];
