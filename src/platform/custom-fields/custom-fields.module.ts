import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomFieldCatalog } from '../../kit/index.js';
import { CustomField } from './custom-field.entity.js';
import { CustomFieldIndexes, DATABASE_URL } from './custom-field-indexes.js';
import { CustomFieldResources } from './custom-field-resources.js';
import { CustomFieldsController } from './custom-fields.controller.js';
import { CustomFieldsService } from './custom-fields.service.js';
import { IndexCustomFields } from './index-custom-fields.job.js';
import { PurgeCustomFields } from './purge-custom-fields.js';

/** The fields that administrators add to resources. Needs the registry, persistence, people, the queue and scheduled jobs. */
@Global()
@Module({})
export class CustomFieldsModule {
  static register(databaseUrl: string): DynamicModule {
    return {
      module: CustomFieldsModule,
      imports: [TypeOrmModule.forFeature([CustomField])],
      controllers: [CustomFieldsController],
      providers: [
        { provide: DATABASE_URL, useValue: databaseUrl },
        CustomFieldResources,
        CustomFieldIndexes,
        CustomFieldsService,
        { provide: CustomFieldCatalog, useExisting: CustomFieldsService },
        IndexCustomFields,
        PurgeCustomFields,
      ],
      exports: [CustomFieldCatalog],
    };
  }
}
