import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Bin } from '../../kit/internal.js';
import { BinResources } from './bin-resources.js';
import { BinService } from './bin.service.js';
import { DeletedRecord } from './deleted-record.entity.js';
import { DeletedRecordsController } from './deleted-records.controller.js';

/** Deleted records that can be restored. Needs the registry, persistence and people. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DeletedRecord])],
  controllers: [DeletedRecordsController],
  providers: [BinResources, BinService, { provide: Bin, useExisting: BinService }],
  exports: [Bin],
})
export class BinModule {}
