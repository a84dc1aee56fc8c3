/** The sender chooses what is quoted, such as the local part of an address. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** Comments may be nested (RFC 5322), but mail servers do not nest them. */
const COMMENT = /\([^()]{0,500}\)/g;

/**
 * Whether the organization's mail server verified that the domain of the sender sent a mail, by DMARC or an aligned DKIM signature.
 * `server` is its name (authserv-id) in Authentication-Results (RFC 8601). Anybody can write such a header, so only those of this server
 * count, and it removes those with its name from mails that it receives.
 */
export function isVerified(results: readonly string[], server: string, from: string): boolean {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const methods = results
    .map((value) => value.replace(QUOTED, '""').replace(COMMENT, ' ').toLowerCase().split(';'))
    .filter(([id]) => id.trim().split(/\s+/)[0] === server.toLowerCase())
    .flatMap(([, ...own]) => own);
  if (methods.some((method) => /^\s*dmarc\s*=\s*fail\b/.test(method))) return false;
  return methods.some((method) => {
    const property = (name: RegExp) => name.exec(method)?.[1].replace(/^"|"$|.*@/g, '');
    if (/^\s*dmarc\s*=\s*pass\b/.test(method)) return property(/\bheader\.from\s*=\s*(\S+)/) === domain;
    if (!/^\s*dkim\s*=\s*pass\b/.test(method)) return false;
    const signer = property(/\bheader\.d\s*=\s*(\S+)/) ?? property(/\bheader\.i\s*=\s*(\S+)/);
    return signer !== undefined && (domain === signer || domain.endsWith(`.${signer}`));
  });
}
