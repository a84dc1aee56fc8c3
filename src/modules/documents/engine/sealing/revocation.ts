import { BasicOCSPResponse, Certificate, CertificateRevocationList, OCSPRequest, OCSPResponse, type AltName } from 'pkijs';
import type { CRLDistributionPoints, InfoAccess } from 'pkijs';
import { fetchBytes, type Bytes } from './fetch-bytes.js';

const AUTHORITY_INFO_ACCESS = '1.3.6.1.5.5.7.1.1';
const DISTRIBUTION_POINTS = '2.5.29.31';
const NO_CHECK = '1.3.6.1.5.5.7.48.1.5';
const OCSP = '1.3.6.1.5.5.7.48.1';
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2';
const URI = 6;
const GOOD = 0;
const REVOKED = 1;
const LONGEST_CHAIN = 8;

/** The data with which a seal can be validated even when its authorities no longer exist; DER. */
export interface ValidationData {
  certificates: Bytes[];
  ocspResponses: Bytes[];
  crls: Bytes[];
  /** Why there is no proof for a certificate that names a source of it. */
  missing: string[];
}

/**
 * Proofs that certificates are not revoked: for each that names a source, its OCSP response, or its CRL. Issuers that are not among them
 * are fetched. Throws if one is revoked.
 */
export async function validationDataOf(given: readonly Bytes[]): Promise<ValidationData> {
  const found: ValidationData = { certificates: [], ocspResponses: [], crls: [], missing: [] };
  const known = given.map((der) => Certificate.fromBER(der));
  const checked = new Set<string>();
  // a proof may contain the certificate of its responder, which is checked like the others
  for (let next = known.shift(); next && checked.size < LONGEST_CHAIN * 2; next = known.shift()) {
    const der = derOf(next);
    const id = der.toString('base64');
    if (checked.has(id)) continue;
    checked.add(id);
    found.certificates.push(der);
    if (next.issuer.isEqual(next.subject)) continue;
    const issuer = await issuerOf(next, [...known, ...found.certificates.map((one) => Certificate.fromBER(one))]);
    if (!issuer) {
      found.missing.push(`${nameOf(next)}: its issuer's certificate is not known`);
      continue;
    }
    known.push(issuer, ...(await addProof(next, issuer, found)));
  }
  return found;
}

/** Resolves to the certificates of the responder. */
async function addProof(certificate: Certificate, issuer: Certificate, found: ValidationData): Promise<Certificate[]> {
  const responders = locationsOf(certificate, OCSP);
  const lists = distributionPointsOf(certificate);
  if (certificate.extensions?.some(({ extnID }) => extnID === NO_CHECK) || responders.length + lists.length === 0) return [];
  const reasons: string[] = [];
  for (const url of responders) {
    try {
      const { der, certificates } = await ocspResponse(url, certificate, issuer);
      found.ocspResponses.push(der);
      return certificates;
    } catch (error) {
      if (error instanceof RevokedError) throw error;
      reasons.push(`${url}: ${(error as Error).message}`);
    }
  }
  for (const url of lists) {
    try {
      found.crls.push(await crl(url, certificate, issuer));
      return [];
    } catch (error) {
      if (error instanceof RevokedError) throw error;
      reasons.push(`${url}: ${(error as Error).message}`);
    }
  }
  found.missing.push(`${nameOf(certificate)}: ${reasons.join('; ')}`);
  return [];
}

class RevokedError extends Error {
  constructor(certificate: Certificate) {
    super(`The certificate ${nameOf(certificate)} is revoked.`);
  }
}

async function ocspResponse(
  url: string,
  certificate: Certificate,
  issuer: Certificate,
): Promise<{ der: Bytes; certificates: Certificate[] }> {
  const request = new OCSPRequest();
  await request.createForCertificate(certificate, { hashAlgorithm: 'SHA-1', issuerCertificate: issuer });
  const body = Buffer.from(request.toSchema(true).toBER());
  const der = await fetchBytes(url, { type: 'application/ocsp-request', body });
  const response = OCSPResponse.fromBER(der);
  if (!response.responseBytes) throw new Error('it refused');
  const basic = BasicOCSPResponse.fromBER(response.responseBytes.response.getValue());
  const { isForCertificate, status } = await basic.getCertificateStatus(certificate, issuer);
  if (isForCertificate && status === REVOKED) throw new RevokedError(certificate);
  if (!isForCertificate || status !== GOOD) throw new Error('it does not know the certificate');
  if (!(await basic.verify({ trustedCerts: [issuer] }))) throw new Error('the signature of its response is invalid');
  return { der, certificates: basic.certs ?? [] };
}

async function crl(url: string, certificate: Certificate, issuer: Certificate): Promise<Bytes> {
  const der = await fetchBytes(url);
  const list = CertificateRevocationList.fromBER(der);
  if (!(await list.verify({ issuerCertificate: issuer }))) throw new Error('the list is not signed by the issuer');
  if (list.isCertificateRevoked(certificate)) throw new RevokedError(certificate);
  return der;
}

async function issuerOf(certificate: Certificate, known: readonly Certificate[]): Promise<Certificate | null> {
  const issuer = known.find(({ subject }) => subject.isEqual(certificate.issuer));
  if (issuer) return issuer;
  for (const url of locationsOf(certificate, CA_ISSUERS)) {
    try {
      const fetched = Certificate.fromBER(await fetchBytes(url));
      if (fetched.subject.isEqual(certificate.issuer)) return fetched;
    } catch {
      // the next address, or none
    }
  }
  return null;
}

function locationsOf(certificate: Certificate, method: string): string[] {
  const access = extension<InfoAccess>(certificate, AUTHORITY_INFO_ACCESS);
  return (access?.accessDescriptions ?? [])
    .filter(({ accessMethod, accessLocation }) => accessMethod === method && accessLocation.type === URI)
    .map(({ accessLocation }) => String(accessLocation.value))
    .filter(isWeb);
}

function distributionPointsOf(certificate: Certificate): string[] {
  const points = extension<CRLDistributionPoints>(certificate, DISTRIBUTION_POINTS)?.distributionPoints ?? [];
  return points
    .flatMap(({ distributionPoint }) => (Array.isArray(distributionPoint) ? (distributionPoint as AltName['altNames']) : []))
    .filter(({ type }) => type === URI)
    .map(({ value }) => String(value))
    .filter(isWeb);
}

function extension<T>(certificate: Certificate, id: string): T | undefined {
  return certificate.extensions?.find(({ extnID }) => extnID === id)?.parsedValue as T | undefined;
}

/** Certificates also name LDAP addresses. */
function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function nameOf(certificate: Certificate): string {
  return certificate.subject.typesAndValues.map(({ value }) => String(value.valueBlock.value)).join(', ');
}

function derOf(certificate: Certificate): Bytes {
  return Buffer.from(certificate.toSchema().toBER());
}
