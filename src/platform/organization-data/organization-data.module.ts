import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClosuresController } from './closures/closures.controller.js';
import { ClosuresService, CLOSURE_SETTINGS, type ClosureSettings } from './closures/closures.service.js';
import { EraseOrganizations } from './closures/erase-organizations.js';
import { ExportController } from './export/export.controller.js';
import { OrganizationExport } from './export/organization-export.js';
import { LegalHolds } from './closures/legal-holds.js';
import { PeopleErasureController } from './people/person-erasures.controller.js';
import { PersonErasures } from './people/person-erasures.js';
import { OrganizationErasure } from './closures/organization-erasure.entity.js';

/** The data of a whole organization: closing it, and erasing what it has. Needs the registry, persistence and scheduled jobs. */
@Module({})
export class OrganizationDataModule {
  static register(settings: ClosureSettings): DynamicModule {
    return {
      module: OrganizationDataModule,
      imports: [TypeOrmModule.forFeature([OrganizationErasure])],
      controllers: [ClosuresController, ExportController, PeopleErasureController],
      providers: [
        ClosuresService,
        EraseOrganizations,
        LegalHolds,
        OrganizationExport,
        PersonErasures,
        { provide: CLOSURE_SETTINGS, useValue: settings },
      ],
    };
  }
}
