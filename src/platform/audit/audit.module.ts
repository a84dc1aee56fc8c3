import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from '../persistence/transactions/audit-trail.js';
import { AuditController } from './audit.controller.js';
import { AuditLogEntry } from './audit-log-entry.entity.js';
import { AuditService } from './audit.service.js';
import { PgAuditTrail } from './pg-audit-trail.js';

/** The audit log: written in the transactions of the changes, read by members. Needs Store. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditLogEntry])],
  controllers: [AuditController],
  providers: [AuditService, { provide: AuditTrail, useClass: PgAuditTrail }],
  exports: [AuditTrail],
})
export class AuditModule {}
