-- A small shop.
CREATE TABLE Customers (
  CustomerId STRING(36) NOT NULL DEFAULT (GENERATE_UUID()),
  Name STRING(200),
  LastSeen TIMESTAMP,
) PRIMARY KEY (CustomerId);

CREATE INDEX CustomersByLastSeen ON Customers (LastSeen);

CREATE TABLE Orders (
  OrderId INT64 NOT NULL,
  CustomerId STRING(36) NOT NULL,
) PRIMARY KEY (OrderId);

CREATE TABLE AccessLog (
  LastAccess TIMESTAMP NOT NULL,
  CustomerId STRING(36) NOT NULL,
  Page STRING(MAX),
) PRIMARY KEY (LastAccess, CustomerId);

-- advise:ignore rising-key a dozen rows a year
CREATE TABLE Holidays (
  Day DATE NOT NULL,
) PRIMARY KEY (Day);

CREATE CHANGE STREAM Everything FOR ALL;
