import { hash, randomBytes } from 'node:crypto';
import { fromBER, Integer, OctetString, type Sequence } from 'asn1js';
import { AlgorithmIdentifier, ContentInfo, MessageImprint, PKIStatus, SignedData, TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs';
import { fetchBytes, type Bytes } from './fetch-bytes.js';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const NONCE_BYTES = 8;

/** A time-stamp token (RFC 3161) as the authority encoded it, with the certificates that it contains. */
export interface TimeStamp {
  token: Bytes;
  /** DER; that of the authority, and those that issued it as far as the authority sends them. */
  certificates: Bytes[];
}

/**
 * Requests a time stamp over `data` from the first authority that answers. Throws with the reasons of all of them if none gives a valid
 * one. A URL may contain a user name and a password.
 */
export async function requestTimeStamp(urls: readonly string[], data: Bytes): Promise<TimeStamp> {
  const reasons: string[] = [];
  for (const url of urls) {
    try {
      return await requestFrom(url, data);
    } catch (error) {
      reasons.push(`${new URL(url).host}: ${(error as Error).message}`);
    }
  }
  throw new Error(`No time-stamp authority returned a valid time stamp (${reasons.join('; ')}).`);
}

async function requestFrom(url: string, data: Bytes): Promise<TimeStamp> {
  // a leading byte below 128, so that the number is positive and its encoding has no padding
  const nonce = Buffer.concat([Buffer.from([0x40]), randomBytes(NONCE_BYTES - 1)]);
  const imprint = hash('sha256', data, 'buffer');
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256 }),
      hashedMessage: new OctetString({ valueHex: imprint }),
    }),
    nonce: new Integer({ valueHex: nonce }),
    certReq: true,
  });
  const body = Buffer.from(request.toSchema().toBER());
  const response = await fetchBytes(url, { type: 'application/timestamp-query', body });
  return verified(response, { data, nonce, imprint });
}

async function verified(response: Bytes, asked: { data: Bytes; nonce: Bytes; imprint: Bytes }): Promise<TimeStamp> {
  const { result } = fromBER(response);
  const { status } = new TimeStampResp({ schema: result });
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods)
    throw new Error(`it rejected the request with status ${status.status}`);
  // its bytes as they are: encoding it again could change what its signature covers
  const token = Buffer.from((result as Sequence).valueBlock.value[1].valueBeforeDecodeView);
  const signed = new SignedData({ schema: ContentInfo.fromBER(token).content });
  const info = TSTInfo.fromBER(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0));
  if (!Buffer.from(info.nonce?.valueBlock.valueHexView ?? []).equals(asked.nonce))
    throw new Error('its response belongs to another request');
  if (!Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView).equals(asked.imprint))
    throw new Error('its time stamp is for other data');
  if (!(await signed.verify({ signer: 0, data: arrayBufferOf(asked.data), checkChain: false })))
    throw new Error('the signature of its time stamp is invalid');
  const certificates = (signed.certificates ?? []).map((certificate) => Buffer.from(certificate.toSchema().toBER()));
  return { token, certificates };
}

function arrayBufferOf(data: Bytes): ArrayBuffer {
  return new Uint8Array(data).buffer;
}
