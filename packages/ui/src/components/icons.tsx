import type { ReactNode } from 'react';

/** Icons are drawn on 16 × 16 with lines of 1.5, in the colour of the text. They stand beside words and say nothing themselves. */
const icon = (shape: ReactNode) =>
  function Icon() {
    return (
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        focusable="false"
      >
        {shape}
      </svg>
    );
  };

export const CheckIcon = icon(<path d="m3 8.5 3.2 3L13 4.5" />);
export const ChevronIcon = icon(<path d="m4.5 6.5 3.5 3.5 3.5-3.5" />);
export const ChevronRightIcon = icon(<path d="M6.5 4.5 10 8l-3.5 3.5" />);
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const CodeIcon = icon(<path d="m5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5 14 8l-3.5 3.5" />);
export const ColumnsIcon = icon(<path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />);
export const CopyIcon = icon(<path d="M5.5 5.5h7.5v7.5H5.5zM3 10.5V3h7.5" />);
export const EyeIcon = icon(
  <>
    <path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8Z" />
    <circle cx="8" cy="8" r="1.8" />
  </>,
);
export const MenuIcon = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
export const MoreIcon = icon(
  <>
    <circle cx="3.5" cy="8" r=".6" />
    <circle cx="8" cy="8" r=".6" />
    <circle cx="12.5" cy="8" r=".6" />
  </>,
);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.2" />
    <path d="m10.2 10.2 3.3 3.3" />
  </>,
);
export const SortIcon = icon(<path d="m5 6 3-3 3 3M5 10l3 3 3-3" />);
export const UpIcon = icon(<path d="M8 12.5v-9M4.5 7 8 3.5 11.5 7" />);
export const DownIcon = icon(<path d="M8 3.5v9M4.5 9 8 12.5 11.5 9" />);
export const ThemeIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.2" />
    <path d="M8 2.8v10.4a5.2 5.2 0 0 0 0-10.4Z" fill="currentColor" />
  </>,
);
export const HelpIcon = icon(
  <>
    <circle cx="8" cy="8" r="6" />
    <path d="M6.2 6.3a1.9 1.9 0 1 1 2.7 1.8c-.6.3-.9.6-.9 1.2M8 11.4v.1" />
  </>,
);
export const OverviewIcon = icon(
  <path d="M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z" />,
);
export const DeploymentsIcon = icon(<path d="M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01" />);
export const PeopleIcon = icon(
  <>
    <circle cx="6" cy="5.5" r="2.5" />
    <path d="M1.8 13c.4-2.4 2-3.6 4.2-3.6s3.8 1.2 4.2 3.6M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.2.5 2 1.6 2.2 3.2" />
  </>,
);
export const RolesIcon = icon(<path d="M8 1.8 13 3.5v4c0 3.2-2 5.4-5 6.7-3-1.3-5-3.5-5-6.7v-4z" />);
export const KeyIcon = icon(
  <>
    <circle cx="5.2" cy="10.8" r="2.7" />
    <path d="m7.2 8.8 6-6M11 5l1.8 1.8M9.3 6.7l1.3 1.3" />
  </>,
);
export const BellIcon = icon(
  <path d="M8 2.2a4 4 0 0 0-4 4c0 3.6-1.5 4.8-1.5 4.8h11S12 9.8 12 6.2a4 4 0 0 0-4-4ZM6.8 13.3c.6.7 1.8.7 2.4 0" />,
);
export const AuditIcon = icon(<path d="M3.5 2.2h9v11.6h-9zM6 5.5h4M6 8h4M6 10.5h2.2" />);
export const BillingIcon = icon(<path d="M1.8 3.8h12.4v8.4H1.8zM1.8 6.6h12.4M4.5 9.8h2" />);
export const SettingsIcon = icon(
  <>
    <path d="M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6" />
    <circle cx="10" cy="5" r="1.5" />
    <circle cx="6" cy="11" r="1.5" />
  </>,
);
export const AccountIcon = icon(
  <>
    <circle cx="8" cy="5.5" r="2.7" />
    <path d="M3 13.5c.5-2.7 2.4-4 5-4s4.5 1.3 5 4" />
  </>,
);
