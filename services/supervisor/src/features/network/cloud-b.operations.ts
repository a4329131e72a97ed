import { createdHeaders, done, noContent, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { cloudBPeeringInstructions, serviceAttachmentInstructions } from './cloud-b-instructions.ts';
import { attachmentConnectionView, cloudBPeeringView, serviceAttachmentView } from './cloud-b-views.ts';
import type { LinksService } from './links.service.ts';

export function cloudBNetworkOperations(links: LinksService) {
  return {
    async listCloudBPeerings({ params }) {
      return ok((await links.list(params.deployment_id, 'cloud_b_peering')).map(cloudBPeeringView));
    },
    async createCloudBPeering({ caller, params: { deployment_id }, body }) {
      const { name, remarks, ...wanted } = body;
      const request = { name, remarks, wanted };
      const { link } = await links.create(caller, deployment_id, 'cloud_b_peering', request);
      const location = `/deployments/${deployment_id}/network/cloud_b/vpc_peering/${link.id}`;
      return { ...noContent(), headers: createdHeaders('vpc_peering', link.id, location) };
    },
    deleteCloudBPeering: ({ caller, params: { deployment_id, peering_id } }) =>
      done(links.delete(caller, deployment_id, 'cloud_b_peering', peering_id)),
    async getCloudBPeeringInstructions({ params: { deployment_id, peering_id } }) {
      return ok(cloudBPeeringInstructions(await links.get(deployment_id, 'cloud_b_peering', peering_id)));
    },
    async listServiceAttachments({ params }) {
      return ok((await links.list(params.deployment_id, 'cloud_b_attachment')).map(serviceAttachmentView));
    },
    async createServiceAttachment({ caller, params: { deployment_id }, body }) {
      const { name, remarks, connection_preference, consumer_accept_lists, enable_proxy_protocol } = body;
      const wanted = {
        connection_preference: connection_preference ?? 'accept_manual',
        consumer_accept_lists: consumer_accept_lists ?? [],
        enable_proxy_protocol: enable_proxy_protocol ?? false,
      };
      const request = { name, remarks, wanted };
      const { link } = await links.create(caller, deployment_id, 'cloud_b_attachment', request);
      const location = `/deployments/${deployment_id}/network/cloud_b/private_service/${link.id}`;
      return { ...noContent(), headers: createdHeaders('private_service', link.id, location) };
    },
    deleteServiceAttachment: ({ caller, params: { deployment_id, attachment_id } }) =>
      done(links.delete(caller, deployment_id, 'cloud_b_attachment', attachment_id)),
    async getServiceAttachmentInstructions({ params: { deployment_id, attachment_id } }) {
      const attachment = await links.get(deployment_id, 'cloud_b_attachment', attachment_id);
      return ok(serviceAttachmentInstructions(attachment));
    },
    async listAttachmentConnections({ params: { deployment_id, attachment_id } }) {
      return ok(
        (await links.connections(deployment_id, 'cloud_b_attachment', attachment_id)).map(
          attachmentConnectionView,
        ),
      );
    },
  } satisfies Partial<Handlers<operations>>;
}
