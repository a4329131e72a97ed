import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * Whether the dialog of a page that makes something new is open. It is in the address (`?new=true`), so that the palette can lead to it.
 * @returns that, and how to open or close it
 */
export function useNewDialog(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const isOpen = useSearch({ strict: false }).new === true;
  const navigate = useNavigate();
  const setOpen = (next: boolean) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, new: next ? true : undefined }),
      replace: true,
    });
  return [isOpen, setOpen];
}
