import type { DomainModuleOptions } from '../../../kit/index.js';
import { ShareLink } from './share-link.entity.js';
import { OrgShareLinksController, ShareLinksController } from './share-links.controller.js';
import { ShareLinks } from './share-links.service.js';
import { SharedDocuments } from './shared-documents.service.js';
import { SharedController } from './shared.controller.js';

/** `sharing/`: public links to a document, with an optional passcode. */
export const SHARING = {
  entities: [ShareLink],
  controllers: [SharedController, ShareLinksController, OrgShareLinksController],
  providers: [ShareLinks, SharedDocuments],
} satisfies Partial<DomainModuleOptions>;
