import type { DomainModuleOptions } from '../../../kit/index.js';
import { DocumentTypesController } from './document-types.controller.js';
import { DocumentTypesService } from './document-types.service.js';
import { OrgDocumentTypesController } from './org-document-types.controller.js';
import { DocumentTypeZones } from './zones/document-type-zones.entity.js';
import { OrgZonesController, ZonesController } from './zones/zones.controller.js';
import { ZoneExtraction } from './zones/zone-extraction.service.js';
import { Zones } from './zones/zones.service.js';

/**
 * - `types/`: sets up document types, validates and publishes them.
 * - `zones/`: where the fields of a type are on a page, and reading their values from a PDF.
 */
export const TYPES = {
  entities: [DocumentTypeZones],
  controllers: [DocumentTypesController, OrgDocumentTypesController, ZonesController, OrgZonesController],
  providers: [DocumentTypesService, Zones, ZoneExtraction],
} satisfies Partial<DomainModuleOptions>;
