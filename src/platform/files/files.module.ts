import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Files, Outbound, Store, type FileStorage } from '../../kit/index.js';
import type { AppConfig } from '../config/settings.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { ScheduledJobRunner } from '../scheduled-jobs/scheduled-job-runner.js';
import { AdoptFiles } from './adopt-files.js';
import { CollectFiles } from './collect-files.js';
import { registerFileJobs } from './file-jobs.js';
import { MoveFiles } from './move-files.js';
import { PgFiles } from './pg-files.js';
import { StorageOwner } from './storage-owner.js';
import { StoragePlace } from './storage-place.js';
import { ObjectRemoval, StoredObject } from './stored-object.entity.js';

type FileSettings = Pick<AppConfig, 'storageUrl' | 'storageAccessKeyId' | 'storageSecretAccessKey' | 'storageTarget'>;

/** Injection token: where files are to be kept, `storage` or `database`. */
export const FILES_TARGET = Symbol('where files are kept');
const FILE_JOBS = Symbol('the scheduled jobs of files');

/** Contents of files: in PostgreSQL, or in a storage. Needs persistence, scheduled jobs, and whether anything leaves the installation. */
@Global()
@Module({})
export class FilesModule {
  static register(settings: FileSettings): DynamicModule {
    return {
      module: FilesModule,
      imports: [TypeOrmModule.forFeature([StoredObject, ObjectRemoval])],
      providers: [
        {
          provide: StoragePlace,
          useFactory: (registry: ModuleRegistry, moduleRef: ModuleRef) => new StoragePlace(storageOf(settings, registry, moduleRef)),
          inject: [ModuleRegistry, ModuleRef],
        },
        {
          provide: Files,
          useFactory: (dataSource: DataSource, store: Store, place: StoragePlace) => new PgFiles(dataSource, store, place),
          inject: [DataSource, Store, StoragePlace],
        },
        { provide: FILES_TARGET, useValue: settings.storageTarget },
        StorageOwner,
        MoveFiles,
        CollectFiles,
        AdoptFiles,
        {
          provide: FILE_JOBS,
          useFactory: (move: MoveFiles, collect: CollectFiles, adopt: AdoptFiles, outbound: Outbound, runner: ScheduledJobRunner) =>
            registerFileJobs({ move, collect, adopt, outbound }, settings.storageTarget, runner),
          inject: [MoveFiles, CollectFiles, AdoptFiles, Outbound, ScheduledJobRunner],
        },
      ],
      exports: [Files, FILES_TARGET, StoragePlace, StorageOwner, MoveFiles, CollectFiles, AdoptFiles],
    };
  }
}

/** That of a module, or else the bucket; null for PostgreSQL. */
function storageOf(settings: FileSettings, registry: ModuleRegistry, moduleRef: ModuleRef): () => Promise<FileStorage | null> {
  const provider = registry.manifests.find(({ fileStorage }) => fileStorage)?.fileStorage;
  let bucket: Promise<FileStorage> | null = null;
  return async () => {
    if (provider) return moduleRef.get<FileStorage>(provider, { strict: false });
    const { storageUrl: url, storageAccessKeyId, storageSecretAccessKey } = settings;
    if (url === undefined) return null;
    return (bucket ??= import('./s3-storage.js').then(
      ({ S3Storage }) =>
        new S3Storage({
          url,
          accessKeyId: storageAccessKeyId?.reveal() ?? null,
          secretAccessKey: storageSecretAccessKey?.reveal() ?? null,
        }),
    ));
  };
}
