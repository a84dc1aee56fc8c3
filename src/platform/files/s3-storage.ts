import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { FileMissing, FileStorage, Lazy } from '../../kit/index.js';

const CONNECT_MS = 5_000;
/** Of a part of a response that does not come. */
const SILENT_MS = 30_000;

interface Sdk {
  client: S3Client;
  s3: typeof import('@aws-sdk/client-s3');
}

export interface S3Settings {
  /** `s3://bucket/prefix?endpoint=...&region=...`. */
  url: string;
  accessKeyId: string | null;
  secretAccessKey: string | null;
}

/** Files in a bucket of S3, or of what speaks its protocol. */
export class S3Storage extends FileStorage {
  readonly location: string;
  private readonly bucket: string;
  private readonly prefix: string;
  private readonly sdk: Lazy<Sdk>;

  constructor({ url, accessKeyId, secretAccessKey }: S3Settings) {
    super();
    const { hostname, pathname, searchParams } = new URL(url);
    const prefix = pathname.replace(/^\/|\/$/g, '');
    this.bucket = hostname;
    this.prefix = prefix === '' ? '' : `${prefix}/`;
    const endpoint = searchParams.get('endpoint') ?? undefined;
    // servers may have buckets of the same name
    const server = endpoint === undefined ? '' : `?endpoint=${new URL(endpoint).host}`;
    this.location = `s3://${hostname}${prefix === '' ? '' : `/${prefix}`}${server}`;
    const credentials = accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : undefined;
    this.sdk = new Lazy(async () => {
      // loading it takes longer than the rest of the start
      const s3 = await import('@aws-sdk/client-s3');
      const client = new s3.S3Client({
        region: searchParams.get('region') ?? 'us-east-1',
        endpoint,
        // buckets as host names need a wildcard certificate
        forcePathStyle: endpoint !== undefined,
        credentials,
        requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: SILENT_MS, throwOnRequestTimeout: true },
        // not every server knows them; contents are read back instead
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      });
      return { client, s3 };
    });
  }

  async put(key: string, content: Buffer): Promise<void> {
    const { client, s3 } = await this.sdk.get();
    await client.send(new s3.PutObjectCommand({ ...this.at(key), Body: content, ContentLength: content.length }));
  }

  async get(key: string): Promise<Readable> {
    const { client, s3 } = await this.sdk.get();
    try {
      const { Body } = await client.send(new s3.GetObjectCommand(this.at(key)));
      return Body as Readable;
    } catch (error) {
      if (error instanceof s3.NoSuchKey) throw new FileMissing(`There is no ${key} in ${this.location}.`);
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    const { client, s3 } = await this.sdk.get();
    await client.send(new s3.DeleteObjectCommand(this.at(key)));
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: this.prefix + key };
  }
}
