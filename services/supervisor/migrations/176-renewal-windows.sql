-- When the authority is asked (again) about the renewal of the certificate; null where it does not say.
ALTER TABLE deployment_certificates ADD COLUMN ask_renewal_at timestamptz;
