/** A role for people who do not know its name: `regional_manager` is Regional manager. */
export function roleTitle(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
