import type { DomainModuleOptions } from '../../../kit/index.js';
import { DocumentLooks } from './document-looks.service.js';
import { LogoController, OrgDocumentSettingsController } from './document-settings.controller.js';
import { DocumentSettings } from './document-settings.entity.js';
import { DocumentSettingsService } from './document-settings.service.js';

/** `settings/`: how documents look and behave towards outsiders. */
export const SETTINGS = {
  entities: [DocumentSettings],
  controllers: [OrgDocumentSettingsController, LogoController],
  providers: [DocumentSettingsService, DocumentLooks],
} satisfies Partial<DomainModuleOptions>;
